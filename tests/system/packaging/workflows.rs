//! The workflows of the repository.

use super::{path, read};
use yaml_rust2::{Yaml, YamlLoader};

fn workflow(name: &str) -> Yaml {
    let text = read(&format!(".github/workflows/{name}"));
    YamlLoader::load_from_str(&text).unwrap().remove(0)
}

fn steps(job: &Yaml) -> &[Yaml] {
    job["steps"].as_vec().unwrap()
}

#[test]
fn actions_of_the_release_are_pinned_to_commits() {
    let release = workflow("release.yml");
    let mut actions = 0;
    for (_, job) in release["jobs"].as_hash().unwrap() {
        for action in steps(job).iter().filter_map(|step| step["uses"].as_str()) {
            let commit = action.split_once('@').unwrap().1;
            assert!(
                commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{action}"
            );
            actions += 1;
        }
    }
    assert!(actions > 3);
}

#[test]
fn release_is_published_after_tests_and_packages() {
    let release = workflow("release.yml");
    let jobs = &release["jobs"];
    assert_eq!(release["permissions"]["contents"].as_str(), Some("read"));
    let publish = &jobs["publish"];
    assert_eq!(publish["permissions"]["contents"].as_str(), Some("write"));
    let needed: Vec<&str> = publish["needs"]
        .as_vec()
        .unwrap()
        .iter()
        .filter_map(Yaml::as_str)
        .collect();
    assert_eq!(needed, ["check", "package"]);
    assert_eq!(jobs["package"]["needs"].as_str(), Some("build"));
    let commands = |job: &str| -> String {
        let steps = steps(&jobs[job]).iter();
        steps.filter_map(|step| step["run"].as_str()).collect()
    };
    assert!(commands("check").contains(".ci/run"));
    assert!(commands("build").contains("packaging/build "));
    assert!(commands("build").contains("packaging/check-promises "));
    assert!(commands("package").contains("packaging/test-package "));
    for (_, job) in jobs.as_hash().unwrap() {
        assert!(job["timeout-minutes"].as_i64().is_some());
        // A name in a script would be expanded before the shell quotes it.
        for step in steps(job) {
            assert!(!step["run"].as_str().unwrap_or("").contains("${{"));
        }
    }
}

#[test]
fn scripts_that_workflows_run_exist() {
    for script in [
        ".ci/run",
        "packaging/build",
        "packaging/check-promises",
        "packaging/test-package",
    ] {
        use std::os::unix::fs::PermissionsExt;
        let mode = path(script).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{script}");
    }
}
