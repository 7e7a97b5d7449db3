//! JSON and XML of settings (compatibility 14).

use crate::domain::catalogue::Catalogue;
use crate::domain::setting::{Setting, ValueType};
use crate::wire::Fields;

/// Writes a setting with its value and its default, as the type of its values demands.
pub fn setting(w: &mut Fields, setting: Setting, catalogue: &Catalogue) {
    w.field("name", setting.name());
    value(w, "value", setting, catalogue.setting(setting));
    value(w, "default_value", setting, setting.default_value());
}

fn value(w: &mut Fields, name: &'static str, setting: Setting, text: &str) {
    match setting.value_type() {
        ValueType::Bool => w.field(name, text == "1"),
        ValueType::Integer(..) => w.field(name, text.parse::<i64>().ok()),
        ValueType::List => w.texts(
            name,
            "item",
            text.split(',').filter(|item| !item.is_empty()),
        ),
        ValueType::Line(_) | ValueType::Choice(_) | ValueType::Host | ValueType::UpdateRules => {
            w.field(name, text)
        }
    }
}
