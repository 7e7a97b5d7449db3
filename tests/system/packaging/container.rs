//! The image of the service.

use super::read;

/// Returns the instructions of the container file, each on one line.
fn instructions() -> Vec<(String, String)> {
    let text = read("packaging/Containerfile").replace("\\\n", " ");
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, rest) = line.split_once(' ').unwrap();
            let rest: Vec<&str> = rest.split_whitespace().collect();
            (name.to_owned(), rest.join(" "))
        })
        .collect()
}

#[test]
fn image_has_no_root_one_volume_and_a_health_check() {
    let instructions = instructions();
    let values = |name: &str| -> Vec<&str> {
        instructions
            .iter()
            .filter(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
            .collect()
    };
    // A number, so that a cluster can check that it is not root.
    let user = values("USER");
    assert_eq!(user, ["10001:10001"]);
    let position = |name: &str| {
        instructions
            .iter()
            .rposition(|(known, _)| known == name)
            .unwrap()
    };
    assert!(position("USER") > position("RUN"));
    assert!(position("USER") > position("COPY"));
    assert_eq!(values("VOLUME"), ["/var/lib/quarry"]);
    assert!(values("ENV")[0].contains("QUARRY_DATA=/var/lib/quarry"));
    assert!(values("HEALTHCHECK")[0].ends_with("CMD [\"quarry\", \"healthcheck\"]"));
    assert_eq!(values("ENTRYPOINT"), ["[\"quarry\"]"]);
    assert_eq!(values("CMD"), ["[\"serve\"]"]);
    assert_eq!(values("STOPSIGNAL"), ["SIGTERM"]);
    // Everything is copied by name, from a folder with the files of a release.
    assert!(values("ADD").is_empty());
    for copy in values("COPY") {
        let mode = copy.split(' ').next().unwrap();
        assert!(mode.starts_with("--chmod=0"), "{copy}");
    }
    let base = values("ARG")[0].strip_prefix("BASE=").unwrap();
    assert!(
        base.rsplit_once(':')
            .is_some_and(|(_, tag)| tag != "latest"),
        "{base}"
    );
}

#[test]
fn image_has_its_health_check_in_docker_and_oci_format() {
    let instructions = instructions();
    let mut checks = instructions
        .iter()
        .filter(|(name, _)| name == "HEALTHCHECK");
    let (options, command) = checks.next().unwrap().1.split_once(" CMD ").unwrap();
    // In OCI format there is none in the image: the same one is set when a container is created.
    let document = read("docs/installation.md").replace("\\\n", "");
    let mut runs = document
        .lines()
        .filter(|line| line.contains("--health-cmd"));
    let run = runs.next().unwrap();
    assert!(run.contains(&format!("--health-cmd '{command}'")), "{run}");
    for option in options.split(' ') {
        let option = option.trim_start_matches("--").replace('=', " ");
        assert!(
            run.contains(&format!("--health-{option} ")),
            "{run}: {option}"
        );
    }
    for text in [document.as_str(), &read("packaging/Containerfile")] {
        let mut builds = text.lines().filter(|line| line.contains("podman build "));
        assert!(builds.next().unwrap().contains(" --format docker "));
    }
}
