"""What an application does that was written for any OAuth 2.0 server, with Authlib: discover, ask for the consent, get tokens, use,
refresh and revoke them. The person is alice, who sends the forms of the pages as a browser does.
usage: client.py ADDRESS REDIRECT_URI CLIENT_ID SECRET PUBLIC_CLIENT_ID

The last line is the number of steps. Exit code 1: one of them failed.
"""
import re
import sys
from urllib.parse import parse_qs, urlsplit

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url

ADDRESS, REDIRECT_URI, CLIENT_ID, SECRET, PUBLIC_CLIENT_ID = sys.argv[1:]
ME = ADDRESS + '/users/current.json'
STEPS = []


def step(function):
    STEPS.append(function)
    return function


def discover():
    url = get_well_known_url(ADDRESS, external=True)
    metadata = AuthorizationServerMetadata(requests.get(url, timeout=30).json())
    assert metadata['issuer'] == ADDRESS, metadata
    # Of what the library validates, only https is missing on a loopback address.
    for key in metadata.REGISTRY_KEYS:
        if key not in ('issuer', 'authorization_endpoint', 'token_endpoint', 'revocation_endpoint'):
            getattr(metadata, 'validate_' + key)()
    return metadata


SERVER = discover()


class Person:
    """alice in a browser: keeps cookies and sends forms."""

    def __init__(self):
        self.session = requests.Session()

    def open(self, url):
        return self.session.get(url, timeout=30)

    def submit(self, page, path, **fields):
        """Sends the form of the page with this action, with its hidden fields. Does not follow the redirect."""
        form = re.search('<form[^>]*action="%s"[^>]*>(.*?)</form>' % re.escape(path), page.text, re.S).group(1)
        hidden = dict(re.findall('<input type="hidden" name="([^"]*)" value="([^"]*)"', form))
        values = {name: value.replace('&#38;', '&').replace('&amp;', '&') for name, value in hidden.items()}
        return self.session.post(ADDRESS + path, data={**values, **fields}, allow_redirects=False, timeout=30)

    def authorize(self, url, decision='approve'):
        """Goes where the application leads, logs in if that is asked, decides, and returns where the browser is sent."""
        page = self.open(url)
        if urlsplit(page.url).path == '/login':
            answer = self.submit(page, '/login', username='alice', password='alicealice')
            assert answer.status_code == 303, answer.text
            page = self.open(ADDRESS + answer.headers['Location'])
        assert 'to use your account?' in page.text, page.text
        answer = self.submit(page, '/oauth/authorize', decision=decision)
        assert answer.status_code == 303, answer.text
        return answer.headers['Location']


ALICE = Person()


def application(client_id=CLIENT_ID, secret=SECRET, **options):
    options = {'scope': 'view_project view_issues', 'token_endpoint_auth_method': 'client_secret_basic', **options}
    return OAuth2Session(client_id, secret, redirect_uri=REDIRECT_URI, code_challenge_method='S256',
                         revocation_endpoint_auth_method=options['token_endpoint_auth_method'], **options)


def connect(client, person=ALICE):
    """The whole flow. Returns the token, and the redirect and the verifier that led to it."""
    verifier = generate_token(48)
    url, state = client.create_authorization_url(SERVER['authorization_endpoint'], code_verifier=verifier)
    location = person.authorize(url)
    assert parse_qs(urlsplit(location).query)['iss'] == [ADDRESS], location
    token = client.fetch_token(SERVER['token_endpoint'], authorization_response=location, state=state, code_verifier=verifier)
    return token, location, verifier


def refused(error, call):
    try:
        call()
    except OAuthError as problem:
        assert problem.error == error, problem
    else:
        raise AssertionError('%s was expected' % error)


@step
def metadata_names_what_the_flow_needs():
    assert SERVER['code_challenge_methods_supported'] == ['S256']
    assert set(SERVER['grant_types_supported']) == {'authorization_code', 'refresh_token'}
    assert {'view_issues', 'admin'} <= set(SERVER['scopes_supported'])


@step
def secret_by_http_basic():
    client = application()
    token, _, _ = connect(client)
    assert token['token_type'] == 'Bearer' and token['scope'] == 'view_project view_issues' and token['expires_in'] == 7200, token
    assert client.get(ME).json()['user']['login'] == 'alice'
    assert client.get(ADDRESS + '/issues/1.json').status_code == 200
    # alice may do both; the application asked for neither.
    assert client.get(ADDRESS + '/projects/secret/news.json').status_code == 403
    issue = {'issue': {'project_id': 'secret', 'subject': 'From the wall'}}
    assert client.post(ADDRESS + '/issues.json', json=issue).status_code == 403


@step
def secret_in_the_form():
    client = application(token_endpoint_auth_method='client_secret_post')
    connect(client)
    assert client.get(ME).status_code == 200


@step
def no_secret():
    client = application(PUBLIC_CLIENT_ID, None, token_endpoint_auth_method='none')
    connect(client)
    assert client.get(ME).status_code == 200


@step
def scope_of_the_token_lets_it_write():
    client = application(scope='view_project view_issues add_issues')
    connect(client)
    issue = {'issue': {'project_id': 'secret', 'subject': 'From the wall'}}
    created = client.post(ADDRESS + '/issues.json', json=issue)
    assert created.status_code == 201 and created.json()['issue']['author']['name'] == 'alice Tester', created.text


@step
def expired_token_is_refreshed_by_itself():
    stored = []
    client = application(token_endpoint=SERVER['token_endpoint'], update_token=lambda token, **_: stored.append(token))
    token, _, _ = connect(client)
    client.token['expires_at'] = 1
    assert client.get(ME).status_code == 200
    assert len(stored) == 1 and stored[0]['refresh_token'] != token['refresh_token'], stored


@step
def used_refresh_token_ends_all_of_the_grant():
    client = application()
    token, _, _ = connect(client)
    newer = client.refresh_token(SERVER['token_endpoint'], refresh_token=token['refresh_token'])
    refused('invalid_grant', lambda: application().refresh_token(SERVER['token_endpoint'], refresh_token=token['refresh_token']))
    client.token = newer
    assert client.get(ME).status_code == 401


@step
def code_is_exchanged_once_and_revoked_tokens_stop():
    client = application()
    token, location, verifier = connect(client)
    other, _, _ = connect(application())
    answer = client.revoke_token(SERVER['revocation_endpoint'], token=token['refresh_token'], token_type_hint='refresh_token')
    assert answer.status_code == 200, answer.text
    client.token = token
    assert client.get(ME).status_code == 401
    client.token = other
    assert client.get(ME).status_code == 200
    again = {'authorization_response': location, 'code_verifier': verifier}
    refused('invalid_grant', lambda: application().fetch_token(SERVER['token_endpoint'], **again))


@step
def refusal_of_the_person_is_an_error():
    client = application()
    url, state = client.create_authorization_url(SERVER['authorization_endpoint'], code_verifier=generate_token(48))
    answer = parse_qs(urlsplit(ALICE.authorize(url, 'deny')).query)
    assert answer['error'] == ['access_denied'] and answer['state'] == [state] and 'code' not in answer, answer


for function in STEPS:
    print(function.__name__.replace('_', ' '), flush=True)
    function()
print('%d steps succeeded' % len(STEPS))
