//! Records as the search index reads them: attributes and texts.

use super::kind::Kind;
use crate::access::visible::AccessAttributes;
use crate::ids::{
    CategoryId, CustomFieldId, EnumerationId, PrincipalId, ProjectId, StatusId, TrackerId, UserId,
    VersionId,
};
use jiff::Timestamp;

/// A record with its attributes and texts.
#[derive(Clone, Debug, Default)]
pub struct IndexedRecord {
    pub kind: Kind,
    pub id: i64,
    /// The sequence number of its last change.
    pub change: i64,
    /// Its project; a project is its own.
    pub project: ProjectId,
    pub private: bool,
    /// Its status, for an issue.
    pub status: Option<StatusId>,
    pub author: Option<UserId>,
    pub assignee: Option<PrincipalId>,
    /// Its tracker, for an issue.
    pub tracker: Option<TrackerId>,
    /// Its priority, for an issue.
    pub priority: Option<EnumerationId>,
    /// Its target version, for an issue.
    pub version: Option<VersionId>,
    /// Its category, for an issue.
    pub category: Option<CategoryId>,
    pub created_on: Timestamp,
    pub updated_on: Timestamp,
    /// Its texts by field name of `index-schema/`. A name may occur several times.
    pub fields: Vec<(&'static str, String)>,
    /// Private notes with their authors: not everyone who may see the record may read them.
    pub restricted: Vec<(UserId, String)>,
    /// Values of custom fields: not everyone who may see the record may see each field.
    pub custom: Vec<(CustomFieldId, String)>,
}

impl IndexedRecord {
    /// Returns the size of all texts in bytes.
    pub fn text_bytes(&self) -> usize {
        let texts = self.fields.iter().map(|(_, text)| text);
        let texts = texts
            .chain(self.restricted.iter().map(|(_, text)| text))
            .chain(self.custom.iter().map(|(_, text)| text));
        texts.map(String::len).sum()
    }

    /// Returns the attributes that decide who may see it.
    pub fn access_attributes(&self) -> AccessAttributes {
        AccessAttributes {
            project: self.project,
            private: self.private,
            author: self.author,
            assignee: self.assignee,
            tracker: self.tracker,
        }
    }
}
