//! A mail about notices: the events of a thread that the person may see now.

use super::content::{Block, Content};
use super::error::RenderError;
use super::event_texts::event_text;
use super::issue_facts;
use super::message::message;
use super::recipient::Recipient;
use jiff::tz::TimeZone;
use quarry_actions::content::activity::{VisibleEvent, load_visible};
use quarry_actions::content::reply_addresses;
use quarry_actions::notices::notice_mails;
use quarry_actions::notices::unsubscribe::{self, Subscription};
use quarry_app::App;
use quarry_domain::access::viewer::Viewer;
use quarry_domain::access::visibility;
use quarry_domain::administration::mail::Mail;
use quarry_domain::catalogue::Catalogue;
use quarry_domain::content::activity::{Event, EventDetails, EventReference};
use quarry_domain::content::incoming_mail::REPLY_DELIMITER;
use quarry_domain::ids::{IssueId, JournalId, ProjectId, UserId};
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::issues::issue::Issue;
use quarry_domain::notices::notice::Thread;
use quarry_domain::notices::reasons::{Reason, Reasons};
use quarry_domain::values::mail_address::MailAddress;
use quarry_domain::values::stable_sort::StableSort;
use quarry_domain::values::text::shorten;
use quarry_http::resources::journal_changes::Change;
use quarry_http::resources::sentences::SentenceContext;
use quarry_mail::outgoing::{ListHeaders, Message};
use quarry_store::lists::texts::Texts;
use quarry_store::{Read, StoreError, issues};

/// Maximum number of characters of a text in a mail.
const MAX_TEXT_CHARS: usize = 20_000;

/// Writes the mail; `None` if the person may see none of the events any more.
pub fn render(app: &App, from: &MailAddress, mail: &Mail) -> Result<Option<Message>, RenderError> {
    let found = app.store.read::<_, StoreError>(|db| {
        let Some(recipient) = Recipient::find(app, db, mail) else {
            return Ok(None);
        };
        let Some(told) = NoticeMail::load(db, mail, &recipient)? else {
            return Ok(None);
        };
        let content = told.content(db, &recipient)?;
        let headers = told.headers(db, &recipient);
        Ok(Some((recipient, told, content, headers)))
    })?;
    let Some((recipient, told, content, headers)) = found else {
        return Ok(None);
    };
    let plain = message(from, mail, &recipient, &content)?;
    Ok(Some(Message {
        subject: told.subject,
        reply_to: told
            .reply_address
            .map(|address| MailAddress::new(&recipient.app_title, &address)),
        references: vec![told.thread_message_id],
        list: Some(told.list),
        headers,
        ..plain
    }))
}

/// The content of a mail about notices.
struct NoticeMail {
    user: UserId,
    viewer: Viewer,
    /// Oldest first; never empty.
    events: Vec<VisibleEvent>,
    /// The issue, if the thread is one.
    issue: Option<Issue>,
    project: ProjectId,
    reasons: Reasons,
    /// The label of the record.
    title: String,
    subject: String,
    /// The id in `References` of all mails about the thread, so that mail programs group them.
    thread_message_id: String,
    reply_address: Option<String>,
    list: ListHeaders,
    /// The URL of the page that mutes the thread.
    mute_url: String,
}

impl NoticeMail {
    fn load(
        db: &Read<'_>,
        mail: &Mail,
        recipient: &Recipient,
    ) -> Result<Option<NoticeMail>, StoreError> {
        let Some(user) = mail.user else {
            return Ok(None);
        };
        let catalogue = db.catalogue();
        let viewer = Viewer::new(catalogue, Some(user));
        let told = notice_mails::find(db, mail)?;
        let references: Vec<EventReference> = told.iter().map(|notice| notice.event).collect();
        // One more character shows that a text was cut.
        let texts = Texts::UpTo(MAX_TEXT_CHARS + 1);
        let mut events = load_visible(db, &viewer, &references, texts)?;
        events.stable_sort_by_key(|visible| std::cmp::Reverse(visible.event.key.sort_key()));
        let first = events.first();
        let Some((first, thread)) =
            first.and_then(|first| Some((first, Thread::of_event(&first.event)?)))
        else {
            return Ok(None);
        };
        let is_shown = |event: &EventReference| {
            let mut shown = events.iter();
            shown.any(|visible| visible.event.key.reference() == *event)
        };
        let shown = told.iter().filter(|notice| is_shown(&notice.event));
        let reasons = shown.fold(Reasons::default(), |reasons, notice| {
            reasons.union(notice.reasons)
        });
        let issue = match thread.kind {
            Kind::Issue => issues::find(db, visibility::issues(&viewer), IssueId(thread.id))?,
            _ => None,
        };
        let project = first.event.project;
        let sentences = SentenceContext::load(db, &viewer, &events)?;
        let sentence = sentences.sentence(&first.event, &first.changes);
        let project_name = catalogue.project_name(project);
        let subject = match &issue {
            Some(issue) => issue_subject(catalogue, issue, project_name),
            None => format!("[{project_name}] {}", sentence.label),
        };
        let host = recipient.host();
        let muting = Subscription::Thread(thread);
        let mute_url = unsubscribe::url(db.secrets(), &recipient.base_url, user, muting);
        Ok(Some(NoticeMail {
            user,
            title: sentence.label,
            subject,
            thread_message_id: format!("{}-{}.thread@{host}", thread.kind.parameter(), thread.id),
            reply_address: notice_mails::reply_target(thread, &notes_of_notices(&events))
                .and_then(|target| reply_addresses::reply_address(db, user, target)),
            list: ListHeaders {
                name: project_name.to_owned(),
                id: format!("{}.{host}", identifier(catalogue, project)),
                unsubscribe: Some(mute_url.clone()),
            },
            mute_url,
            events,
            issue,
            project,
            reasons,
            viewer,
        }))
    }

    fn content(&self, db: &Read<'_>, recipient: &Recipient) -> Result<Content, StoreError> {
        let catalogue = db.catalogue();
        let mut blocks = Vec::new();
        if let Some(issue) = &self.issue {
            let mut facts = issue_facts::facts(db, issue);
            let mut events = self.events.iter();
            if events.any(|visible| matches!(visible.event.details, EventDetails::Issue { .. })) {
                facts.extend(issue_facts::facts_of_new(db, &self.viewer, issue)?);
            }
            blocks.push(Block::Facts(facts));
        }
        let sentences = SentenceContext::load(db, &self.viewer, &self.events)?;
        let mut path = None;
        for visible in &self.events {
            let event = &visible.event;
            let author = event
                .author
                .and_then(|user| catalogue.principal_name(user.into()))
                .unwrap_or("Somebody");
            let sentence = sentences.sentence(event, &visible.changes);
            let did = format!("{author} {} {}", sentence.verb, sentence.label);
            let is_private = matches!(
                event.details,
                EventDetails::IssueChange { private: true, .. }
            );
            let note = if is_private { " (private note)" } else { "" };
            let time = time(&recipient.zone, event.key.at);
            blocks.push(Block::Event(format!("{did}{note}, {time}")));
            let changes = visible.changes.iter();
            let changes: Vec<String> = changes
                .map(|detail| Change::new(catalogue, &self.viewer, detail).to_text())
                .collect();
            if !changes.is_empty() {
                blocks.push(Block::List(changes));
            }
            let text = event_text(db, &self.viewer, event)?;
            if !text.trim().is_empty() {
                blocks.push(Block::Quote(shorten(&text, MAX_TEXT_CHARS)));
            }
            if let Some(path) = sentence
                .path
                .as_deref()
                .and_then(|path| diff_path(event, path))
            {
                blocks.push(recipient.link("What changed", &path));
            }
            path = path.or(sentence.path);
        }
        if let Some(path) = path {
            blocks.push(recipient.link("Open", &path));
        }
        let reasons: Vec<&str> = self.reasons.iter().map(Reason::label).collect();
        Ok(Content {
            title: self.title.clone(),
            blocks,
            reply_delimiter: self.reply_address.as_ref().map(|_| REPLY_DELIMITER),
            reason: format!("Why you get this mail: {}.", reasons.join(", ")),
            links: vec![
                ("No more mails about this", self.mute_url.clone()),
                (
                    "Mail preferences",
                    format!("{}/my/notifications", recipient.base_url),
                ),
            ],
        })
    }

    /// Returns the headers of Redmine, by which people filter mails, and our own.
    fn headers(&self, db: &Read<'_>, recipient: &Recipient) -> Vec<(&'static str, String)> {
        let catalogue = db.catalogue();
        let login = |user: UserId| {
            let user = catalogue.users.get(&user);
            user.map_or_else(String::new, |user| user.login.clone())
        };
        let mut headers = vec![
            ("X-Redmine-Host", recipient.host()),
            ("X-Redmine-Site", recipient.app_title.clone()),
            (
                "X-Redmine-Project",
                identifier(catalogue, self.project).to_owned(),
            ),
        ];
        let last = self.events.last().map(|visible| &visible.event);
        if let Some(author) = last.and_then(|event| event.author) {
            headers.push(("X-Redmine-Sender", login(author)));
        }
        if let Some(issue) = &self.issue {
            let tracker = catalogue.tracker(issue.tracker);
            headers.push(("X-Redmine-Issue-Id", issue.id.to_string()));
            headers.push((
                "X-Redmine-Issue-Tracker",
                tracker.map_or_else(String::new, |tracker| tracker.name.clone()),
            ));
            let priority = catalogue.enumeration(issue.priority);
            headers.push((
                "X-Redmine-Issue-Priority",
                priority.map_or_else(String::new, |priority| priority.name.clone()),
            ));
            headers.push(("X-Redmine-Issue-Author", login(issue.author)));
            if let Some(assignee) = issue.assignee {
                let name = catalogue.users.get(&UserId(assignee.0)).map_or_else(
                    || catalogue.principal_name(assignee).unwrap_or_default(),
                    |user| &user.login,
                );
                headers.push(("X-Redmine-Issue-Assignee", name.to_owned()));
            }
        }
        if let Some(EventDetails::Message { topic, .. }) = last.map(|event| &event.details) {
            let id = topic.unwrap_or_else(|| last.map_or(0, |event| event.key.id));
            headers.push(("X-Redmine-Topic-Id", id.to_string()));
        }
        if let Some(page) = last.filter(|event| event.details == EventDetails::WikiEdit) {
            headers.push(("X-Redmine-Wiki-Page-Id", page.key.id.to_string()));
        }
        let reasons: Vec<&str> = self.reasons.iter().map(|reason| reason.name()).collect();
        headers.push(("X-Quarry-Reason", reasons.join(" ")));
        headers.push(("X-Quarry-Recipient", login(self.user)));
        headers
    }
}

/// Returns the path of the page that shows what an edit of a wiki page changed; `None` for other events.
fn diff_path(event: &Event, page_path: &str) -> Option<String> {
    let version = event.key.version;
    let is_edit = matches!(event.details, EventDetails::WikiEdit) && version > 1;
    is_edit.then(|| {
        let before = version - 1;
        format!("{page_path}/diff?version={version}&version_from={before}")
    })
}

/// Returns the notes of an issue among the events, and whether each is private.
fn notes_of_notices(events: &[VisibleEvent]) -> Vec<(JournalId, bool)> {
    let notes = events
        .iter()
        .filter_map(|visible| match visible.event.details {
            EventDetails::IssueChange { private, .. } => {
                Some((JournalId(visible.event.key.id), private))
            }
            _ => None,
        });
    notes.collect()
}

/// Returns the subject of a mail about an issue, as Redmine writes it.
fn issue_subject(catalogue: &Catalogue, issue: &Issue, project: &str) -> String {
    let tracker = catalogue.tracker(issue.tracker);
    let status = catalogue.status(issue.status);
    format!(
        "[{project} - {} #{}] ({}) {}",
        tracker.map_or("", |tracker| &tracker.name),
        issue.id,
        status.map_or("", |status| &status.name),
        issue.subject
    )
}

fn time(zone: &TimeZone, at: jiff::Timestamp) -> String {
    let time = at.to_zoned(zone.clone());
    time.strftime("%Y-%m-%d %H:%M %Z").to_string()
}

fn identifier(catalogue: &Catalogue, project: ProjectId) -> &str {
    let project = catalogue.projects.get(&project);
    project.map_or("", |project| &project.identifier)
}
