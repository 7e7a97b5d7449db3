//! `GET /projects/:id/issue_categories` (compatibility 6.8).

use super::{fields, view};
use crate::domain::permission::Permission;
use crate::domain::version::Category;
use crate::http::{Error, Pagination, Reply, RequestContext};
use crate::store::Read;
use crate::wire::Meta;
use std::sync::Arc;

/// Returns all categories of a project by name, to users who may manage them.
pub fn list(request: &RequestContext, db: &Read<'_>) -> Result<Reply, Error> {
    let catalogue = Arc::clone(db.catalogue());
    let project = fields::project(request, &catalogue)?;
    if !request.viewer().may(Permission::ManageCategories, project) {
        return Err(Error::Forbidden);
    }
    let mut categories: Vec<Category> = catalogue
        .categories
        .values()
        .filter(|category| category.project == project)
        .cloned()
        .collect();
    categories.sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    let total = i64::try_from(categories.len()).unwrap_or(i64::MAX);
    let meta = if Pagination::from_query(&request.query).without_totals {
        Vec::new()
    } else {
        vec![Meta::Integer("total_count", total)]
    };
    let describe = move |w: &mut _, category: Category| view::category(w, &category, &catalogue);
    Ok(Reply::list(
        "issue_categories",
        "issue_category",
        categories,
        describe,
        meta,
    ))
}
