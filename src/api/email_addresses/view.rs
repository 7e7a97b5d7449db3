//! JSON and XML of mail addresses (compatibility 14).

use crate::store::email_addresses::EmailAddress;
use crate::wire::Fields;

/// Writes the fields of an address.
pub fn email_address(w: &mut Fields, address: &EmailAddress) {
    w.field("id", address.id);
    w.field("address", &address.address);
    w.field("notify", address.notify);
    w.field("created_on", address.created_on);
    w.field("updated_on", address.updated_on);
}
