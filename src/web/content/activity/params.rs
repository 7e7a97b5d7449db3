//! The parameters of the activity.

use crate::access;
use crate::prelude::*;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use quarry_domain::access::visibility;
use quarry_domain::content::activity::{EventKey, EventType};
use quarry_domain::values::id_set::IdSet;
use quarry_domain::values::text::parse_bool;
use quarry_store::content::activity::ActivityQuery;
use std::sync::Arc;

/// The groups of event types: name in addresses, label, and the permission without which there are
/// none.
pub const GROUPS: [(&str, &str, Permission); 8] = [
    ("issues", "Issues", Permission::ViewIssues),
    ("changesets", "Commits", Permission::ViewChangesets),
    ("news", "News", Permission::ViewNews),
    ("documents", "Documents", Permission::ViewDocuments),
    ("files", "Files", Permission::ViewFiles),
    ("wiki_edits", "Wiki edits", Permission::ViewWikiEdits),
    ("messages", "Messages", Permission::ViewMessages),
    ("time_entries", "Time", Permission::ViewTimeEntries),
];

/// The parameters of a request.
pub struct Params<'c> {
    pub project: Option<&'c Project>,
    /// Whether the subprojects of the project are left out.
    pub without_subprojects: bool,
    /// The author of the events.
    pub user: Option<UserId>,
    /// The last day.
    pub until: Option<Date>,
    /// The chosen groups; empty for all.
    pub groups: Vec<&'static str>,
    /// Events after this one.
    after: Option<EventKey>,
}

impl<'c> Params<'c> {
    /// Parses the parameters. Fails with 404 for a user that the viewer may not see, and with 422
    /// for values that make no sense.
    pub fn parse(request: &RequestContext, db: &'c Read<'_>) -> Result<Params<'c>, Error> {
        let catalogue = db.catalogue();
        let project = if request.path_param("id").is_empty() {
            None
        } else {
            let permission = Permission::ViewProject;
            Some(access::project(request, catalogue, permission)?)
        };
        let groups = GROUPS.iter().map(|(group, _, _)| *group);
        let is_on = |name: &str| {
            let value = request.query_param(name);
            value.is_some_and(|value| parse_bool(&value) == Some(true))
        };
        let with_subprojects = request.query_param("with_subprojects");
        Ok(Params {
            project,
            without_subprojects: with_subprojects
                .is_some_and(|value| parse_bool(&value) == Some(false)),
            user: parse_user(request, db)?,
            until: parse_until(request)?,
            groups: groups
                .filter(|group| is_on(&format!("show_{group}")))
                .collect(),
            after: match request.query_param("after") {
                Some(text) => Some(parse_key(&text).ok_or_else(|| {
                    Error::invalid("after must be the value of the link to older events")
                })?),
                None => None,
            },
        })
    }

    /// Returns the filters as a query string, without the position.
    pub fn query_string(&self) -> String {
        let groups = self.groups.iter();
        let mut parameters: Vec<String> = groups.map(|group| format!("show_{group}=1")).collect();
        parameters.extend(self.user.map(|user| format!("user_id={user}")));
        if self.without_subprojects {
            parameters.push("with_subprojects=0".to_owned());
        }
        if parameters.is_empty() {
            String::new()
        } else {
            format!("?{}", parameters.join("&"))
        }
    }

    /// Returns the types of events.
    pub fn types(&self) -> Vec<EventType> {
        let types = EventType::ALL.iter().copied();
        types
            .filter(|event_type| {
                self.groups.is_empty() || self.groups.contains(&event_type.group())
            })
            .collect()
    }

    /// Returns the chosen projects, visible or not; `None` for all.
    pub fn projects(&self, catalogue: &Catalogue) -> Option<Vec<ProjectId>> {
        self.project.map(|project| {
            if self.without_subprojects {
                vec![project.id]
            } else {
                catalogue.subtree(project.id)
            }
        })
    }

    /// Returns the query for at most `limit` events of these types; days are those of `zone`.
    pub fn query<'q>(
        &self,
        request: &'q RequestContext,
        db: &Read<'_>,
        types: &'q [EventType],
        zone: &TimeZone,
        limit: usize,
    ) -> ActivityQuery<'q> {
        let viewer = request.viewer();
        let projects = self.projects(db.catalogue()).map(|ids| {
            let visible = ids.into_iter().filter(|id| viewer.sees(*id));
            Arc::new(visible.map(|id| id.0).collect::<IdSet>())
        });
        ActivityQuery {
            viewer,
            projects,
            author: self.user,
            types,
            after: self.after.or_else(|| {
                let tomorrow = self.until?.tomorrow().ok()?;
                let start = tomorrow.to_zoned(zone.clone()).ok()?.timestamp();
                Some(EventKey {
                    at: start,
                    event_type: EventType::TimeEntry,
                    id: 0,
                    version: 0,
                })
            }),
            limit,
        }
    }
}

fn parse_user(request: &RequestContext, db: &Read<'_>) -> Result<Option<UserId>, Error> {
    let Some(text) = request
        .query_param("user_id")
        .filter(|text| !text.is_empty())
    else {
        return Ok(None);
    };
    if text == "me" {
        return request.require_user().map(Some);
    }
    let id = text
        .parse()
        .map(UserId)
        .map_err(|_| Error::invalid("user_id must be the id of a user, or me"))?;
    let catalogue = db.catalogue();
    let is_visible = catalogue.users.contains_key(&id)
        && visibility::can_see_principal(request.viewer(), catalogue, id.into());
    if is_visible {
        Ok(Some(id))
    } else {
        Err(access::missing(request))
    }
}

fn parse_until(request: &RequestContext) -> Result<Option<Date>, Error> {
    let Some(text) = request.query_param("from").filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let date = text.parse();
    date.map(Some)
        .map_err(|_| Error::invalid("from must be a day, such as 2026-11-24"))
}

/// Returns the position of an event as part of an address.
pub fn key_text(key: &EventKey) -> String {
    format!(
        "{}.{}.{}.{}",
        key.at.as_microsecond(),
        key.event_type.code(),
        key.id,
        key.version
    )
}

fn parse_key(text: &str) -> Option<EventKey> {
    let numbers: Vec<i64> = text
        .split('.')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let [at, event_type, id, version] = numbers[..] else {
        return None;
    };
    Some(EventKey {
        at: Timestamp::from_microsecond(at).ok()?,
        event_type: EventType::from_repr(event_type)?,
        id,
        version,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_in_an_address_is_parsed_back() {
        // A commit can be older than 1970.
        for microseconds in [1_764_000_000_123_456, -5] {
            for event_type in EventType::ALL.iter().copied() {
                let key = EventKey {
                    at: Timestamp::from_microsecond(microseconds).unwrap(),
                    event_type,
                    id: 12,
                    version: 3,
                };
                assert_eq!(parse_key(&key_text(&key)), Some(key));
            }
        }
        for text in ["", "1.2.3", "1.10.3.4", "x.1.1.1", "1.1.1.1.1", "1.-1.1.1"] {
            assert_eq!(parse_key(text), None, "{text}");
        }
    }
}
