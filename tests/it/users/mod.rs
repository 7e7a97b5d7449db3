mod current;
mod manage;
mod show;
