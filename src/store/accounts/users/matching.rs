//! Users that match the filters of the list.

use crate::lists::filter;
use crate::lists::filter::ColumnType;
use crate::transaction::sql::Sql;
use crate::{Read, StoreError};
use quarry_domain::administration::custom_field::Customized;
use quarry_domain::ids::UserId;
use quarry_domain::query::users::{Condition, Field};
use std::collections::HashSet;

/// Returns the users that match all conditions. For administrators: values of every custom field
/// count.
pub fn matching(db: &Read<'_>, conditions: &[Condition]) -> Result<HashSet<UserId>, StoreError> {
    let catalogue = db.catalogue();
    let mut sql = Sql::new("SELECT u.id FROM users u WHERE u.type = 'User'");
    for condition in conditions {
        sql.push(" AND ");
        let (name, column_type) = match condition.field {
            Field::Status => ("u.status", ColumnType::Number),
            Field::Login => ("u.login", ColumnType::Text),
            Field::Firstname => ("u.firstname", ColumnType::Text),
            Field::Lastname => ("u.lastname", ColumnType::Text),
            Field::Mail => ("u.mail", ColumnType::Text),
            Field::Admin => ("u.admin", ColumnType::Number),
            Field::TwofaScheme => ("u.twofa_scheme", ColumnType::Text),
            Field::AuthSource => ("u.auth_source_id", ColumnType::Number),
            Field::CreatedOn => ("u.created_on", ColumnType::Instant),
            Field::LastLoginOn => ("u.last_login_on", ColumnType::Instant),
            Field::Custom(id) => {
                let Some(field) = catalogue
                    .custom_fields_of(Customized::User)
                    .find(|field| field.id == id)
                else {
                    sql.push("1 = 0");
                    continue;
                };
                let (name, column_type) = filter::custom_column(field.format);
                filter::push_exists_test(
                    &mut sql,
                    |sql| {
                        filter::push_custom_rows(sql.push("SELECT 1 FROM "), "u.id", field);
                        sql.push(" AND x.value <> ''");
                    },
                    name,
                    column_type,
                    &condition.predicate,
                    catalogue,
                );
                continue;
            }
        };
        filter::push_test(&mut sql, name, column_type, &condition.predicate, catalogue);
    }
    Ok(db.column(sql.text(), sql.values())?.into_iter().collect())
}
