//! The form of a user: what was typed or is stored, and the messages beside the fields.

use super::custom_fields::{self, FieldInput};
use crate::choices;
use crate::choices::Choice;
use crate::form::{field, is_checked};
use quarry_actions::users::{NewPassword, UserChange};
use quarry_domain::accounts::preferences::PreferencesChange;
use quarry_domain::accounts::user::User;
use quarry_domain::administration::custom_field::{Customized, RequestedValues, Values};
use quarry_domain::ids::PrincipalId;
use quarry_domain::validation::{ValidationError, ValidationErrors};
use quarry_domain::values::patch::Patch;
use quarry_http::{BodyFields, Error, RequestContext};
use quarry_store::administration::custom_fields as stored;
use quarry_store::{Read, StoreError};
use quarry_wire::Input;

/// Maximum number of groups that the form offers. With more, groups are left as they are.
const MAX_GROUPS: usize = 200;

/// The values of the form.
#[derive(Clone, Debug, Default)]
pub struct Typed {
    login: String,
    firstname: String,
    lastname: String,
    mail: String,
    hides_mail: bool,
    language: String,
    time_zone: String,
    mail_notification: String,
    /// Whether the user is an administrator.
    pub admin: bool,
    must_change_password: bool,
    /// Whether a password is generated for a new user.
    generates_password: bool,
    groups: Option<Vec<PrincipalId>>,
    custom: Values,
    /// The values of custom fields as sent.
    requested: RequestedValues,
}

impl Typed {
    /// Returns the values of a new user.
    pub fn for_new_user(db: &Read<'_>) -> Typed {
        let custom = Values::defaults(db.catalogue().custom_fields_of(Customized::User));
        Typed {
            hides_mail: true,
            must_change_password: true,
            generates_password: true,
            custom,
            ..Typed::default()
        }
    }

    /// Returns the stored values.
    pub fn stored(db: &Read<'_>, user: &User) -> Result<Typed, StoreError> {
        let groups = db
            .catalogue()
            .groups
            .values()
            .filter(|group| group.users.contains(&user.id))
            .map(|group| group.id);
        Ok(Typed {
            login: user.login.clone(),
            firstname: user.firstname.clone(),
            lastname: user.lastname.clone(),
            mail: user.mail.clone(),
            hides_mail: user.hides_mail,
            language: user.language.clone(),
            time_zone: user.time_zone.clone(),
            mail_notification: user.mail_notification.clone(),
            admin: user.admin,
            must_change_password: user.must_change_password,
            generates_password: false,
            groups: Some(groups.collect()),
            custom: stored::find_values(db, Customized::User, user.id.0)?,
            requested: RequestedValues::new(),
        })
    }

    /// Returns the values as typed.
    pub fn sent(request: &RequestContext) -> Result<Typed, Error> {
        let mut body = BodyFields::from_body(request, "user")?;
        let requested = body.custom_fields();
        body.check()?;
        let mut custom = Values::default();
        requested
            .iter()
            .for_each(|(id, values)| custom.set(*id, values.clone()));
        let items = request.body.get("groups").and_then(Input::as_list);
        Ok(Typed {
            login: field(request, "login"),
            firstname: field(request, "firstname"),
            lastname: field(request, "lastname"),
            mail: field(request, "mail"),
            hides_mail: is_checked(request, "hide_mail"),
            language: field(request, "language"),
            time_zone: field(request, "time_zone"),
            mail_notification: field(request, "mail_notification"),
            admin: is_checked(request, "admin"),
            must_change_password: is_checked(request, "must_change_passwd"),
            generates_password: is_checked(request, "generate_password"),
            groups: items.map(|items| items.iter().filter_map(parse_id).collect()),
            custom,
            requested,
        })
    }

    /// Returns the requested change, without the password.
    pub fn to_change(&self) -> UserChange {
        UserChange {
            login: Patch::Set(self.login.clone()),
            firstname: Patch::Set(self.firstname.clone()),
            lastname: Patch::Set(self.lastname.clone()),
            mail: Patch::Set(self.mail.clone()),
            hides_mail: Some(self.hides_mail),
            password: None,
            must_change_password: Some(self.must_change_password),
            admin: Some(self.admin),
            status: None,
            language: Patch::Set(self.language.clone()),
            time_zone: Patch::Set(self.time_zone.clone()),
            mail_notification: Patch::Set(self.mail_notification.clone()),
            preferences: PreferencesChange::default(),
            groups: self.groups.clone(),
            custom: self.requested.clone(),
        }
    }

    /// Returns the password of a new user; `None` when none was typed.
    pub fn new_password(&self, request: &RequestContext) -> Option<NewPassword> {
        let typed = field(request, "new_password");
        if self.generates_password {
            Some(NewPassword::Generated)
        } else {
            (!typed.is_empty()).then_some(NewPassword::Given(typed))
        }
    }
}

fn parse_id(item: &Input) -> Option<PrincipalId> {
    item.as_text()
        .and_then(|text| text.trim().parse().ok())
        .map(PrincipalId)
}

/// The messages beside the fields.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    pub login: Option<String>,
    pub firstname: Option<String>,
    pub lastname: Option<String>,
    pub mail: Option<String>,
    pub language: Option<String>,
    pub time_zone: Option<String>,
    pub mail_notification: Option<String>,
    pub groups: Option<String>,
    pub new_password: Option<String>,
    pub confirmation: Option<String>,
    /// About the password of the administrator.
    pub password: Option<String>,
    /// About custom fields.
    pub custom: Vec<ValidationError>,
    /// About none of the fields.
    pub other: Option<String>,
}

impl Errors {
    /// Assigns the errors of a refused change to the fields, by attribute. Each field shows its
    /// first one.
    pub fn new(invalid: ValidationErrors) -> Errors {
        let mut errors = Errors::default();
        for error in invalid {
            let slot = match error.attribute.as_deref() {
                Some("login") => &mut errors.login,
                Some("firstname") => &mut errors.firstname,
                Some("lastname") => &mut errors.lastname,
                Some("mail") => &mut errors.mail,
                Some("language") => &mut errors.language,
                Some("time_zone") => &mut errors.time_zone,
                Some("mail_notification") => &mut errors.mail_notification,
                Some("password") => &mut errors.new_password,
                _ if error.custom_field().is_some() => {
                    errors.custom.push(error);
                    continue;
                }
                _ => &mut errors.other,
            };
            slot.get_or_insert(error.to_string());
        }
        errors
    }
}

/// The form as the template shows it.
pub struct UserForm {
    pub login: String,
    pub firstname: String,
    pub lastname: String,
    pub mail: String,
    pub hides_mail: bool,
    pub languages: Vec<Choice>,
    pub time_zones: Vec<Choice>,
    pub mail_notifications: Vec<Choice>,
    pub admin: bool,
    pub must_change_password: bool,
    pub generates_password: bool,
    /// The groups; empty when there are none, or too many to choose from.
    pub groups: Vec<Choice>,
    pub fields: Vec<FieldInput>,
    pub errors: Errors,
}

impl UserForm {
    /// Returns the form with these values.
    pub fn new(db: &Read<'_>, typed: Typed, errors: Errors) -> UserForm {
        let catalogue = db.catalogue();
        let mut groups: Vec<Choice> = Vec::new();
        if catalogue.groups.len() <= MAX_GROUPS {
            let chosen = typed.groups.unwrap_or_default();
            groups.extend(catalogue.groups.values().map(|group| Choice {
                value: group.id.to_string(),
                label: group.name.clone(),
                is_selected: chosen.contains(&group.id),
            }));
            groups.sort_by_key(|group| group.label.to_lowercase());
        }
        let fields = catalogue.custom_fields_of(Customized::User);
        UserForm {
            login: typed.login,
            firstname: typed.firstname,
            lastname: typed.lastname,
            mail: typed.mail,
            hides_mail: typed.hides_mail,
            languages: choices::languages(&typed.language),
            time_zones: choices::time_zones(&typed.time_zone, db.now()),
            mail_notifications: choices::mail_notifications(&typed.mail_notification),
            admin: typed.admin,
            must_change_password: typed.must_change_password,
            generates_password: typed.generates_password,
            groups,
            fields: fields
                .map(|field| custom_fields::input(catalogue, field, &typed.custom, &errors.custom))
                .collect(),
            errors,
        }
    }
}
