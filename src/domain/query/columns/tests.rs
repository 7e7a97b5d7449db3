use super::*;
use crate::administration::custom_field::Customized;

/// Returns a custom field that everybody may see.
fn custom_field(id: i64, customized: Customized) -> CustomField {
    CustomField {
        id: CustomFieldId(id),
        customized,
        visible: true,
        ..CustomField::default()
    }
}

#[test]
fn names_are_parsed_back() {
    let catalogue = Catalogue {
        custom_fields: vec![
            custom_field(1, Customized::Issue),
            custom_field(2, Customized::Project),
            custom_field(3, Customized::User),
            custom_field(4, Customized::Version),
        ],
        ..Catalogue::default()
    };
    let viewer = Viewer::new(&catalogue, None);
    let columns = all(&catalogue, &viewer);
    for column in [
        Column::Custom(CustomFieldId(1)),
        Column::OfAssociation(Association::Project, CustomFieldId(2)),
        Column::OfAssociation(Association::Author, CustomFieldId(3)),
        Column::OfAssociation(Association::Assignee, CustomFieldId(3)),
        Column::OfAssociation(Association::Version, CustomFieldId(4)),
    ] {
        assert!(columns.contains(&column), "{column:?}");
    }
    for column in columns {
        assert_eq!(
            Column::parse(&catalogue, &viewer, &column.name()),
            Some(column)
        );
    }
}

#[test]
fn first_three_known_columns_are_used() {
    let catalogue = Catalogue {
        custom_fields: vec![custom_field(1, Customized::Issue)],
        ..Catalogue::default()
    };
    let viewer = Viewer::new(&catalogue, None);
    let criteria = parse_order(
        &catalogue,
        &viewer,
        "nonsense,cf_2,watcher_users,status:desc,subject:up,cf_1:desc,id:desc,project",
    );
    let columns: Vec<_> = criteria
        .iter()
        .map(|criterion| (criterion.column, criterion.descending))
        .collect();
    assert_eq!(
        columns,
        [
            (Column::Status, true),
            (Column::Subject, false),
            (Column::Custom(CustomFieldId(1)), true)
        ]
    );
}

#[test]
fn group_leads_the_order() {
    assert_eq!(
        grouped_columns("tracker", "subject"),
        [(Column::Tracker, false), (Column::Subject, false)]
    );
    assert_eq!(grouped_columns("priority", ""), [(Column::Priority, true),]);
    let four = [
        (Column::Status, true),
        (Column::Subject, false),
        (Column::Id, false),
    ];
    assert_eq!(grouped_columns("status", "subject,status:desc,id"), four);
    assert_eq!(grouped_columns(" status ", "subject,status:desc,id"), four);
    assert_eq!(
        grouped_columns("updated_on", "subject"),
        [(Column::UpdatedDay, true), (Column::Subject, false)],
        "groups are days"
    );
    let within_days = [
        (Column::ClosedDay, false),
        (Column::Id, true),
        (Column::ClosedOn, false),
    ];
    assert_eq!(
        grouped_columns("closed_on", "id:desc,closed_on"),
        within_days
    );
    assert_eq!(
        grouped_columns("subject", "id:desc"),
        [(Column::Id, true)],
        "subjects make no groups"
    );
    assert_eq!(grouped_columns("nonsense", "id:desc"), [(Column::Id, true)]);
}

fn grouped_columns(group: &str, sort: &str) -> Vec<(Column, bool)> {
    let catalogue = Catalogue::default();
    let viewer = Viewer::new(&catalogue, None);
    let criteria = parse_order(&catalogue, &viewer, sort);
    grouped(super::group(&catalogue, &viewer, group), criteria)
        .iter()
        .map(|criterion| (criterion.column, criterion.descending))
        .collect::<Vec<_>>()
}
