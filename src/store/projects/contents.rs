//! What projects hold, without its texts.

use crate::{Read, StoreError, Value};
use quarry_domain::ids::ProjectId;
use quarry_domain::index_feed::kind::Kind;
use quarry_domain::projects::module::Module;

/// The modules whose records are shown to all who may see the module, each with its first record.
const FIRST_RECORDS: [(Module, &str); 6] = [
    (Module::News, "SELECT 1 FROM news WHERE project_id = ?1"),
    (
        Module::Documents,
        "SELECT 1 FROM documents WHERE project_id = ?1",
    ),
    (
        Module::Wiki,
        "SELECT 1 FROM wiki_pages WHERE wiki_id IN (SELECT id FROM wikis WHERE project_id = ?1)",
    ),
    (Module::Boards, "SELECT 1 FROM boards WHERE project_id = ?1"),
    (
        Module::Files,
        "SELECT 1 FROM attachments WHERE container_kind = ?2 AND container_id = ?1 UNION ALL \
         SELECT 1 FROM attachments WHERE container_kind IS NULL AND container_type = 'Version' \
         AND container_id IN (SELECT id FROM versions WHERE project_id = ?1)",
    ),
    (
        Module::Repository,
        "SELECT 1 FROM repositories WHERE project_id = ?1",
    ),
];

/// Returns those of the modules news, documents, wiki, boards, files and repository that have no
/// record in the project.
pub fn empty_modules(db: &Read<'_>, project: ProjectId) -> Result<Vec<Module>, StoreError> {
    let columns = FIRST_RECORDS.map(|(module, first)| {
        let code = module as i64;
        format!("SELECT {code} WHERE NOT EXISTS ({first})")
    });
    let values: [Value; 2] = [project.into(), i64::from(Kind::Project.code()).into()];
    let codes = db.rows(&columns.join(" UNION ALL "), &values, |row| {
        row.next::<i64>()
    })?;
    let modules = FIRST_RECORDS.iter().map(|(module, _)| *module);
    Ok(modules
        .filter(|module| codes.contains(&(*module as i64)))
        .collect())
}
