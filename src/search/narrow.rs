//! What qualifiers mean to a viewer: names become facts. Names of what the viewer may not see are as if they were not there.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::facts::{Fact, Need, Test};
use super::language::{Malformed, Qualifier};
use super::query::Asked;
use crate::domain::catalogue::{Catalogue, EnumerationKind};
use crate::domain::id_set::IdSet;
use crate::domain::ids::ProjectId;
use crate::domain::kind::Kind;
use crate::domain::nearest::nearest;
use crate::domain::viewer::Viewer;
use crate::domain::visibility::project_files;

/// The names by which a content type can be asked for, besides its parameter.
const TYPES: [(&str, Kind); 8] = [
    ("issue", Kind::Issue),
    ("news", Kind::News),
    ("document", Kind::Document),
    ("changeset", Kind::Changeset),
    ("wiki", Kind::WikiPage),
    ("wiki_page", Kind::WikiPage),
    ("message", Kind::Message),
    ("project", Kind::Project),
];

/// What the qualifiers of a question demand. `in:` demands nothing of facts; the question knows it already.
pub fn narrow(asked: &[Asked], catalogue: &Catalogue, viewer: &Viewer) -> Result<Vec<Need>, Malformed> {
    let mut needs = Vec::with_capacity(asked.len());
    for one in asked {
        let meant = meaning(one.qualifier, one.value.trim(), catalogue, viewer).map_err(|problem| malformed(one, problem))?;
        needs.extend(meant.map(|(fact, test)| Need { fact, test, negated: one.negated }));
    }
    Ok(needs)
}

fn malformed(asked: &Asked, problem: Option<String>) -> Malformed {
    let name = asked.qualifier.name();
    let expected = problem.unwrap_or_else(|| format!("{name}: expects {}", asked.qualifier.expects()));
    Malformed { at: asked.at, said: format!("{name}:{}", asked.value), problem: expected }
}

/// The fact and what it must be. Fails with a sentence, or with none where the usual one fits.
fn meaning(qualifier: Qualifier, value: &str, catalogue: &Catalogue, viewer: &Viewer) -> Result<Option<(Fact, Test)>, Option<String>> {
    let ids = |fact: Fact, ids: Vec<i64>| Ok(Some((fact, Test::OneOf(ids.into_iter().collect()))));
    match qualifier {
        Qualifier::Is => {
            let closed = match value {
                "open" => false,
                "closed" => true,
                _ => return Err(None),
            };
            ids(Fact::Status, catalogue.statuses.iter().filter(|status| status.is_closed == closed).map(|status| status.id.0).collect())
        }
        Qualifier::Type => {
            let kind = TYPES.iter().find(|(name, _)| *name == value).map(|(_, kind)| *kind);
            let kind = kind.or_else(|| Kind::ALL.into_iter().find(|kind| kind.parameter() == value)).ok_or(None)?;
            ids(Fact::Kind, vec![i64::from(kind.code())])
        }
        Qualifier::Project => {
            let found = catalogue.project_by(value).filter(|project| viewer.rights(project.id).is_some()).ok_or(None)?;
            ids(Fact::Project, catalogue.subtree(found.id).into_iter().map(|id| id.0).collect())
        }
        // Who has an account is not for everybody to know: a login that nobody has finds nothing, as one that has written nothing.
        Qualifier::Author => {
            let user = if value == "me" { viewer.user } else { catalogue.user_by_login(value).map(|user| user.id) };
            ids(Fact::Author, vec![user.map_or(-1, |user| user.0)])
        }
        Qualifier::Assignee => ids(
            Fact::Assignee,
            match value {
                "none" => vec![0],
                "me" => viewer.principals.iter().map(|principal| principal.0).collect(),
                login => vec![catalogue.user_by_login(login).map_or(-1, |user| user.id.0)],
            },
        ),
        Qualifier::Status => named(Fact::Status, value, catalogue.statuses.iter().map(|status| (status.id.0, status.name.as_str()))),
        Qualifier::Tracker => named(Fact::Tracker, value, catalogue.trackers.iter().map(|tracker| (tracker.id.0, tracker.name.as_str()))),
        Qualifier::Priority => {
            let priorities = catalogue.enumerations_of(EnumerationKind::IssuePriority);
            named(Fact::Priority, value, priorities.map(|priority| (priority.id.0, priority.name.as_str())))
        }
        Qualifier::Version if value == "none" => ids(Fact::Version, vec![0]),
        Qualifier::Category if value == "none" => ids(Fact::Category, vec![0]),
        Qualifier::Version => {
            let seen = catalogue.versions.values().filter(|version| sees(viewer, version.project));
            named(Fact::Version, value, seen.map(|version| (version.id.0, version.name.as_str())))
        }
        Qualifier::Category => {
            let seen = catalogue.categories.values().filter(|category| sees(viewer, category.project));
            named(Fact::Category, value, seen.map(|category| (category.id.0, category.name.as_str())))
        }
        Qualifier::Created => Ok(Some((Fact::Created, span(value).ok_or(None)?))),
        Qualifier::Updated => Ok(Some((Fact::Updated, span(value).ok_or(None)?))),
        Qualifier::Has if value == "attachment" || value == "attachments" => {
            Ok(Some((Fact::Files, Test::HasFiles(project_files(viewer).clone()))))
        }
        Qualifier::Has => Err(None),
        Qualifier::In if value == "title" => Ok(None),
        Qualifier::In => Err(None),
    }
}

fn sees(viewer: &Viewer, project: ProjectId) -> bool {
    viewer.rights(project).is_some()
}

/// Everything with this name, without regard to case.
fn named<'n>(fact: Fact, value: &str, known: impl Iterator<Item = (i64, &'n str)>) -> Result<Option<(Fact, Test)>, Option<String>> {
    let mut known: Vec<(i64, &str)> = known.collect();
    known.sort_unstable_by_key(|(id, _)| *id);
    let wanted = value.to_lowercase();
    let found: IdSet = known.iter().filter(|(_, name)| name.to_lowercase() == wanted).map(|(id, _)| *id).collect();
    if !found.is_empty() {
        return Ok(Some((fact, Test::OneOf(found))));
    }
    Err(nearest(value, known.iter().map(|(_, name)| *name)).map(|name| format!("there is none of this name, did you mean \"{name}\"?")))
}

/// `2024-01-31`, `>=2024-01-31`, `2024-01-01..2024-01-31`, `..2024-01-31`: days, or instants as `2024-01-31T10:00Z`, in UTC.
fn span(value: &str) -> Option<Test> {
    if let Some((from, to)) = value.split_once("..") {
        let end = |text: &str| if text.is_empty() || text == "*" { Some(None) } else { moment(text).map(Some) };
        let (from, to) = (end(from)?, end(to)?);
        if from.is_none() && to.is_none() {
            return None;
        }
        return Some(Test::Between(from.map(|(first, _)| first), to.map(|(_, last)| last)));
    }
    let rest = |sign: &str| value.strip_prefix(sign).map(moment);
    if let Some(found) = rest(">=") {
        return found.map(|(first, _)| Test::Between(Some(first), None));
    }
    if let Some(found) = rest("<=") {
        return found.map(|(_, last)| Test::Between(None, Some(last)));
    }
    if let Some(found) = rest(">") {
        return found.map(|(_, last)| Test::Between(Some(last + 1), None));
    }
    if let Some(found) = rest("<") {
        return found.map(|(first, _)| Test::Between(None, Some(first - 1)));
    }
    moment(value).map(|(first, last)| Test::Between(Some(first), Some(last)))
}

/// The first and the last second of a year, a month, a day or an instant.
fn moment(text: &str) -> Option<(i64, i64)> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let second = |date: Date| date.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp().as_second());
    let until = |next: Date| second(next).map(|next| next - 1);
    match text.len() {
        4 if digits(text) => {
            let first: Date = format!("{text}-01-01").parse().ok()?;
            Some((second(first)?, until(first.last_of_year().tomorrow().ok()?)?))
        }
        7 => {
            let first: Date = format!("{text}-01").parse().ok()?;
            Some((second(first)?, until(first.last_of_month().tomorrow().ok()?)?))
        }
        10 => {
            let day: Date = text.parse().ok()?;
            Some((second(day)?, until(day.tomorrow().ok()?)?))
        }
        _ => {
            let (date, time) = text.strip_suffix('Z').unwrap_or(text).split_once('T')?;
            let time = if time.len() == 5 { format!("{time}:00") } else { time.to_owned() };
            let instant: Timestamp = format!("{date}T{time}Z").parse().ok()?;
            Some((instant.as_second(), instant.as_second()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_months_years_and_spans_are_read() {
        let day = |from: i64, to: i64| Some(Test::Between(Some(from), Some(to)));
        assert_eq!(span("1970-01-02"), day(86_400, 172_799));
        assert_eq!(span("1970"), day(0, 31_535_999));
        assert_eq!(span("1970-01"), day(0, 31 * 86_400 - 1));
        assert_eq!(span("1970-01-01..1970-01-02"), day(0, 172_799));
        assert_eq!(span(">=1970-01-02"), Some(Test::Between(Some(86_400), None)));
        assert_eq!(span(">1970-01-02"), Some(Test::Between(Some(172_800), None)));
        assert_eq!(span("<1970-01-02"), Some(Test::Between(None, Some(86_399))));
        assert_eq!(span("..1970-01-01"), Some(Test::Between(None, Some(86_399))));
        assert_eq!(span("1970-01-01T00:01Z"), day(60, 60));
        for wrong in ["", "..", "yesterday", "2024-02-30", ">=", "2024-13", "2024-1-1", "1970-01-01..x"] {
            assert_eq!(span(wrong), None, "{wrong}");
        }
    }
}
