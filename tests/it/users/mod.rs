mod create;
mod current;
mod delete;
mod list;
mod manage;
mod names;
mod show;
mod update;
