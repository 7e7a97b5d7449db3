//! The numbers that stand for a record in the index: its key, and the class that decides who may
//! see it.

use quarry_domain::ids::{ProjectId, StatusId};
use quarry_domain::index_feed::kind::Kind;

const STATUS_BITS: u64 = 20;

/// Project, status, content type and private flag of a record, packed into one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AccessClass(pub u64);

impl AccessClass {
    /// Packs the attributes of a record.
    pub fn new(
        project: ProjectId,
        kind: Kind,
        private: bool,
        status: Option<StatusId>,
    ) -> AccessClass {
        let status = status
            .map_or(0, |id| id.0.clamp(0, (1 << STATUS_BITS) - 1))
            .unsigned_abs();
        let project = project.0.max(0).unsigned_abs();
        AccessClass(project << (STATUS_BITS + 8) | status << 8 | u64::from(type_bit(kind, private)))
    }

    /// Returns the project of the record.
    pub fn project(self) -> ProjectId {
        ProjectId((self.0 >> (STATUS_BITS + 8)).cast_signed())
    }

    /// Returns the status; 0 for a record without one.
    pub fn status(self) -> StatusId {
        StatusId(((self.0 >> 8) & ((1 << STATUS_BITS) - 1)).cast_signed())
    }

    /// Returns the code of the content type, as [`Kind::code`] does.
    pub fn kind_code(self) -> u32 {
        self.type_bit() >> 1
    }

    /// Whether the record is private.
    pub fn is_private(self) -> bool {
        self.type_bit() & 1 == 1
    }

    /// Returns the bit of the content type and private flag in a mask; see [`type_bit`].
    pub fn type_bit(self) -> u32 {
        (self.0 & 15) as u32
    }

    /// Returns the class without its status: the value of the index field `scope`.
    pub fn scope(self) -> u64 {
        (self.0 >> (STATUS_BITS + 8)) << 4 | (self.0 & 15)
    }
}

/// Returns the bit of a content type and private flag in a mask.
pub fn type_bit(kind: Kind, private: bool) -> u32 {
    u32::from(kind.code()) << 1 | u32::from(private)
}

const ID_BITS: u32 = 56;

/// Returns the value of the index field `key`, which identifies a record of any content type.
pub fn record_key(kind: Kind, id: i64) -> u64 {
    u64::from(kind.code()) << ID_BITS | (id.unsigned_abs() & ((1 << ID_BITS) - 1))
}

/// Returns the record with this key.
pub fn parse_record_key(key: u64) -> Option<(Kind, i64)> {
    let kind = Kind::from_code((key >> ID_BITS) as u8)?;
    Some((kind, (key & ((1 << ID_BITS) - 1)).cast_signed()))
}
