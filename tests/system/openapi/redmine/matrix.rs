//! Calls operations as four viewers, in both formats, with valid and with invalid requests, and
//! compares what comes back.

use super::call::{Call, Format};
use super::description::{OPERATIONS, Operation};
use super::exceptions::{self, Used};
use super::records::Records;
use super::{schema, xml};
use quarry_world::{Client, Response, World};
use serde_json::Value;
use std::collections::BTreeSet;

/// Makes a request. Records that it needs are new, so that no call depends on another one.
pub type Build = fn(&Records<'_>) -> Call;

/// The expected statuses for an administrator, a member of the project who is a manager, a user who
/// is no member, and nobody.
pub type Statuses = [u16; 4];

/// The logins of the viewers, in the order of [`Statuses`].
const VIEWERS: [Option<&str>; 4] = [Some("admin"), Some("alice"), Some("dave"), None];

/// One operation with its requests.
pub struct Row {
    /// The `operationId`.
    pub operation: &'static str,
    cells: Vec<(Statuses, Build)>,
    also: Vec<(u16, Build)>,
}

/// Starts the row of an operation. The first request is valid, the second one is not.
pub fn row(operation: &'static str, valid: (Statuses, Build), invalid: (Statuses, Build)) -> Row {
    Row {
        operation,
        cells: vec![valid, invalid],
        also: Vec::new(),
    }
}

impl Row {
    /// Adds a request of the administrator.
    pub fn also(mut self, status: u16, build: Build) -> Row {
        self.also.push((status, build));
        self
    }
}

/// Runs the rows and panics with everything that is not as expected.
pub fn run(world: &World, rows: &[Row]) {
    let records = Records::new(world);
    let failures: Vec<String> = rows
        .iter()
        .flat_map(|row| Run::new(&records, row).run())
        .collect();
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// The run of one row.
struct Run<'a> {
    records: &'a Records<'a>,
    row: &'a Row,
    operation: &'static Operation,
    seen: BTreeSet<u16>,
    used: Used,
    /// The places of all fields in successful responses.
    fields: BTreeSet<String>,
    /// Errors about the schema, which are reported once for all requests.
    reported: BTreeSet<String>,
    failures: Vec<String>,
}

impl<'a> Run<'a> {
    fn new(records: &'a Records<'a>, row: &'a Row) -> Self {
        let operation = OPERATIONS
            .get(row.operation)
            .unwrap_or_else(|| panic!("{} is not described", row.operation));
        Run {
            records,
            row,
            operation,
            seen: BTreeSet::new(),
            used: Used::default(),
            fields: BTreeSet::new(),
            reported: BTreeSet::new(),
            failures: Vec::new(),
        }
    }

    fn run(mut self) -> Vec<String> {
        for ((statuses, build), name) in self.row.cells.iter().zip(["valid", "invalid"]) {
            for (status, viewer) in statuses.iter().zip(VIEWERS) {
                self.records.set_viewer(viewer);
                self.cell(
                    *status,
                    *build,
                    &self.client(viewer),
                    &format!("{name}, {}", viewer.unwrap_or("anonymous")),
                );
            }
        }
        self.records.set_viewer(None);
        for (status, build) in &self.row.also {
            self.cell(*status, *build, &self.client(Some("admin")), "also");
        }
        self.provoke_the_rest();
        for status in self
            .operation
            .responses
            .keys()
            .filter(|status| !self.seen.contains(status))
        {
            if !self.used.explains(self.row.operation, *status, "never") {
                self.failures.push(format!(
                    "{}: {status} is described and never returned",
                    self.row.operation
                ));
            }
        }
        self.report_missing_fields();
        self.report_unknown_parameters();
        self.report_ignored_attributes();
        self.failures.extend(self.used.idle(self.row.operation));
        self.failures
    }

    /// Reports fields that are described for a read and in no response. Responses to writes lack
    /// what `include` adds.
    fn report_missing_fields(&mut self) {
        let Some(Some(pointer)) = self
            .operation
            .responses
            .get(&200)
            .filter(|_| self.operation.method == "GET")
        else {
            return;
        };
        let described = schema::described_fields(pointer);
        let is_missing = |field: &str| described.contains(field) && !self.fields.contains(field);
        for field in described.iter().filter(|field| is_missing(field)) {
            let is_inside_another = field
                .match_indices('/')
                .skip(1)
                .any(|(end, _)| is_missing(&field[..end]));
            if !is_inside_another && !self.used.explains(self.row.operation, 200, field) {
                self.failures.push(format!(
                    "{}: {field} is described and in no response",
                    self.row.operation
                ));
            }
        }
    }

    /// Described parameters of the query that are ignored with a warning.
    fn report_unknown_parameters(&mut self) {
        for name in self
            .operation
            .query
            .iter()
            .filter(|_| self.operation.method == "GET")
        {
            let filter = if *name == "cf_x" { "cf_1" } else { name };
            // Some filters exist in a project only.
            let scope = if self.operation.query.contains(&"project_id") {
                "project_id=1&"
            } else {
                ""
            };
            let call = (self.row.cells[0].1)(self.records).query(&format!("{scope}{filter}=1"));
            let response = call.send(
                &self.records.world.as_user("admin"),
                self.operation,
                Format::Json,
            );
            let warning = response.header("Warning");
            if warning.contains("unknown")
                && !self
                    .used
                    .explains(self.row.operation, 200, &format!("unknown {name}"))
            {
                self.failures
                    .push(format!("{}: {warning}", self.row.operation));
            }
        }
    }

    /// Described attributes that are ignored: an invalid value is no error.
    fn report_ignored_attributes(&mut self) {
        for attribute in &self.operation.attributes {
            let call = (self.row.cells[0].1)(self.records).with_invalid(attribute);
            let response = call.send(
                &self.records.world.as_user("admin"),
                self.operation,
                Format::Json,
            );
            if response.status < 400
                && !self.used.explains(
                    self.row.operation,
                    response.status,
                    &format!("ignored {attribute}"),
                )
            {
                self.failures.push(format!(
                    "{}: {attribute} is described and ignored: {}",
                    self.row.operation, response.status
                ));
            }
        }
    }

    fn client(&self, viewer: Option<&str>) -> Client<'a> {
        viewer.map_or_else(
            || self.records.world.anonymous(),
            |login| self.records.world.as_user(login),
        )
    }

    /// Returns whether a status is described, but has not been returned.
    fn awaits(&self, status: u16) -> bool {
        self.operation.responses.contains_key(&status) && !self.seen.contains(&status)
    }

    /// Requests that every operation refuses, or that name a record that does not exist, for
    /// statuses which are not yet seen.
    fn provoke_the_rest(&mut self) {
        let valid = self.row.cells[0].1;
        let world = self.records.world;
        if self.awaits(401) {
            self.cell(
                401,
                valid,
                &world.anonymous().with("X-Redmine-API-Key", "unknown"),
                "wrong key",
            );
        }
        if self.awaits(403) {
            self.cell(
                403,
                valid,
                &world.anonymous().basic("bob", "bobbobbob"),
                "password that has to be changed",
            );
        }
        if self.awaits(412) {
            self.cell(
                412,
                valid,
                &world
                    .as_user("admin")
                    .with("X-Redmine-Switch-User", "nobody"),
                "unknown user to switch to",
            );
        }
        if self.awaits(404) && self.operation.path.contains("_id}") {
            let call = valid(self.records).missing();
            self.call(404, &call, &call, &world.as_user("admin"), "missing record");
        }
    }

    /// Calls the operation in both formats: reads with the same records, writes with records of
    /// their own.
    fn cell(&mut self, expected: u16, build: Build, client: &Client<'_>, name: &str) {
        let json = build(self.records);
        let xml = if self.operation.method == "GET" {
            json.clone()
        } else {
            build(self.records)
        };
        self.call(expected, &json, &xml, client, name);
    }

    fn call(&mut self, expected: u16, json: &Call, xml: &Call, client: &Client<'_>, name: &str) {
        let response = json.send(client, self.operation, Format::Json);
        let name = format!("{} ({name})", self.row.operation);
        self.seen.insert(response.status);
        if response.status != expected {
            self.failures.push(format!(
                "{name}: {} instead of {expected}: {}",
                response.status, response.body
            ));
        }
        let mut faults = self.faults(&response);
        if self.operation.has_format() {
            let xml = xml.send(client, self.operation, Format::Xml);
            if xml.status != expected {
                self.failures.push(format!(
                    "{name}: {} instead of {expected} in XML: {}",
                    xml.status, xml.body
                ));
            }
            faults.extend(xml::faults(&response, &xml, self.operation.method == "GET"));
        }
        self.failures.extend(
            faults
                .into_iter()
                .map(|fault| format!("{name}: {}: {fault}", response.status)),
        );
    }

    /// Compares a response with the description.
    fn faults(&mut self, response: &Response) -> Vec<String> {
        let id = self.row.operation;
        let status = response.status;
        let is_json = response.content_type().starts_with("application/json");
        match self.operation.responses.get(&status) {
            None if self.used.explains(id, status, "undescribed") => {
                exceptions::body_faults(status, &response.body)
            }
            None => vec![format!("is not described: {}", response.body)],
            Some(Some(pointer)) if is_json => {
                let body: Value = serde_json::from_str(&response.body).unwrap();
                schema::collect_fields(&body, "", &mut self.fields);
                let mut errors = schema::errors(pointer, &body);
                errors.retain(|error| {
                    !self.used.explains(id, status, error) && self.reported.insert(error.clone())
                });
                errors.into_iter().collect()
            }
            Some(Some(_)) => vec![format!("{} instead of JSON", response.content_type())],
            Some(None) if response.body.is_empty() || status == 200 => Vec::new(),
            Some(None) if self.used.explains(id, status, "a body is not described") => Vec::new(),
            Some(None) => vec![format!("a body is not described: {}", response.body)],
        }
    }
}
