//! Pages: their policy, and the escaping of names.

use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};

use super::{HTML, SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH};
use crate::render::RenderOptions;
use crate::render::testing::{hostile_report, rendered, sample_report};

/// The hash of an element's text, as policies have it.
fn hash(text: &str) -> String {
    BASE64_STANDARD.encode(Sha256::digest(text))
}

#[test]
fn the_policy_has_the_hashes_of_the_script_and_the_style() {
    let hashes = [STYLE, SCRIPT].map(hash);
    assert_eq!([STYLE_HASH, SCRIPT_HASH], [&*hashes[0], &*hashes[1]]);
    assert!(!SCRIPT.contains("</") && !STYLE.contains("</"));
}

#[test]
fn names_are_strings_and_never_markup() {
    let page = rendered(&HTML, &hostile_report(), &RenderOptions::default());
    let page = String::from_utf8(page).expect("a page is UTF-8");
    let start = page.find("id=\"data\">").expect("it has data") + "id=\"data\">".len();
    let data = &page[start..];
    let data = &data[..data.find("</script>").expect("the data end")];
    assert!(!data.contains('<'));
    let value: serde_json::Value = serde_json::from_str(data).expect("data are JSON");
    let texts = value["texts"].as_array().expect("it has texts");
    let has = |text: &str| texts.iter().any(|one| one == text);
    assert!(has("a<b>&lt;&amp;</b>"), "{texts:?}");
    assert!(has("\\xff\\xfe"), "{texts:?}");
    assert!(page.matches("<script").count() == 2);
}

#[test]
fn cells_are_columns_of_blocks() {
    let page = rendered(&HTML, &sample_report(), &RenderOptions::default());
    let page = String::from_utf8(page).expect("a page is UTF-8");
    let flat = page.lines().find(|line| line.contains("\"kinds\":\"009"));
    let expected = "{\"kinds\":\"008\",\"cells\":[\"30,10,5\",\"4096,,\",\"100,,\",\"75.0,25.0,\",\
                    \"3,,\",\"@0,@1,@2\"]}";
    assert!(page.contains(expected), "{flat:?}");
}
