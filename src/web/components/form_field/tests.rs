use super::*;
use quarry_domain::ids::CustomFieldId;
use quarry_wire::from_query;

#[test]
fn error_goes_to_the_field_of_its_attribute() {
    let names = ["issue[start_date]", "issue[custom_field_values][3][]"];
    let mut fields = names.map(|name| FormField::new(FieldKind::Line, name, "", ""));
    let mut errors = ValidationErrors::new();
    errors.add("start_date", "Start date", "is invalid");
    errors.add("start_date", "Start date", "is late");
    errors.add("start", "Start", "is invalid");
    errors.add_custom_field(CustomFieldId(3), "cost", "is invalid");
    assert_eq!(
        assign_errors(fields.iter_mut(), errors),
        ["Start is invalid"]
    );
    let errors: Vec<_> = fields
        .iter()
        .map(|field| field.error.as_deref().unwrap())
        .collect();
    assert_eq!(errors, ["Start date is invalid", "Cost is invalid"]);
}

#[test]
fn typed_values_are_found_by_name() {
    let form = from_query("issue[a]=1&issue[v][7][]=&issue[v][7][]=x&issue[v][7][]=y").unwrap();
    assert_eq!(typed(&form, "issue[a]").as_deref(), Some("1"));
    assert_eq!(typed(&form, "issue[v][7][]").as_deref(), Some("x\ny"));
    assert_eq!(
        (typed(&form, "issue[b]"), typed(&form, "issue")),
        (None, None)
    );
}
