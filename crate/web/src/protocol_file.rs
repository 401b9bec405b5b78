//! Test: `www/src/protocol.d.ts` is what the wire types say. `LOGIT_LAB_UPDATE=1 cargo test -p logit-lab-web` rewrites it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::Path;

use ts_rs::{Config, TS, TypeVisitor};

use crate::protocol;

struct Declarations {
    config: Config,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        let name = T::ident(&self.config);
        if T::output_path().is_none() || self.by_name.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        self.by_name.insert(name, format!("{docs}export {}\n", T::decl(&self.config)));
        T::visit_dependencies(self);
    }
}

fn protocol_file() -> String {
    let mut declarations =
        Declarations { config: Config::new().with_large_int("number"), by_name: BTreeMap::new() };
    declarations.visit::<protocol::Command>();
    declarations.visit::<protocol::Event>();
    declarations.visit::<protocol::ModelCard>();
    let mut file = String::from(
        "// Written from crate/web/src/protocol.rs by `LOGIT_LAB_UPDATE=1 cargo test -p logit-lab-web`; do not edit.\n",
    );
    for declaration in declarations.by_name.values() {
        file.push('\n');
        file.push_str(declaration);
    }
    file
}

#[test]
fn the_committed_protocol_file_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/src/protocol.d.ts");
    let expected = protocol_file();
    if std::env::var_os("LOGIT_LAB_UPDATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == expected,
        "www/src/protocol.d.ts is stale: run LOGIT_LAB_UPDATE=1 cargo test -p logit-lab-web"
    );
}
