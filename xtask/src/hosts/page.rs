//! Whether a generator left in the page what its author wrote.

/// What is wrong with a built page; empty if nothing is. Generators that drop or change raw HTML do
/// so without a word, so the page itself is looked at.
pub(super) fn faults(html: &str) -> Vec<String> {
    // Some generators leave out quotes that a value does not need.
    let bare = html.replace(['"', '\''], "");
    let mut found = Vec::new();
    let mut count = |what: &str, tags: &[&str], wanted: usize| {
        if tags.len() != wanted {
            found.push(format!("{} {what} instead of {wanted}", tags.len()));
        }
    };
    let elements: Vec<&str> = tags(&bare, "tokenyard-lab").collect();
    let frames: Vec<&str> = tags(&bare, "iframe").filter(|tag| tag.contains("/embed/")).collect();
    let scripts: Vec<&str> = tags(&bare, "script").filter(|tag| tag.contains("element.js")).collect();
    count("elements", &elements, 1);
    count("frames of a lab", &frames, 1);
    count("scripts of the element", &scripts, 1);
    for (tags, words) in [
        (&elements, &[" lab=", " title=", " seed=", " mode="][..]),
        (&frames, &[" title=", "src=", "#interval=", "color-scheme:light dark", " allow="][..]),
        (&scripts, &[" defer"][..]),
    ] {
        for tag in tags {
            let lost = words.iter().filter(|word| !tag.contains(*word));
            found.extend(lost.map(|word| format!("{word:?} is not in <{tag}>")));
        }
    }
    // Readers without scripts have the link that stands inside.
    let inside = bare.split_once("<tokenyard-lab").and_then(|(_, rest)| rest.split_once("</tokenyard-lab>"));
    if !inside.is_some_and(|(inside, _)| inside.contains("<a href=") && inside.contains("/labs/")) {
        found.push("there is no link inside the element".to_owned());
    }
    found
}

/// The inside of every opening tag of this name.
fn tags<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    html.split('<').filter_map(move |part| {
        let rest = part.strip_prefix(name)?;
        let is_whole = rest.starts_with([' ', '\n', '>']);
        is_whole.then(|| part.split('>').next().unwrap_or(part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "<iframe class=\"toc\" src=\"toc.html\"></iframe>
        <script src=tokenyard-site/element.js defer></script>
        <iframe src=\"x/embed/y/?ui=lab#interval=5\" title=\"Y\" style=\"border:0;color-scheme:light dark\"
            allow=\"fullscreen\"></iframe>
        <tokenyard-lab lab=\"z\" title=\"Z\" seed=3 mode=m>\n<a href=\"x/labs/z/\">Z</a></tokenyard-lab>";

    #[test]
    fn a_page_as_it_was_written_passes() {
        assert_eq!(faults(GOOD), Vec::<String>::new());
    }

    #[test]
    fn every_loss_is_seen() {
        let losses = [
            (" defer", ""),
            ("<script src=tokenyard-site/element.js defer></script>", ""),
            ("#interval=5", ""),
            (" title=\"Y\"", ""),
            (" seed=3", ""),
            ("<a href=\"x/labs/z/\">Z</a>", ""),
            ("tokenyard-lab", "div"),
            ("tokenyard-lab lab", "tokenyard-labs lab"),
            ("<iframe src=\"x/embed", "<p class=\"x/embed"),
            ("color-scheme:light dark", ""),
            ("<tokenyard-lab", "&lt;tokenyard-lab"),
        ];
        for (from, to) in losses {
            assert!(GOOD.contains(from));
            assert!(!faults(&GOOD.replace(from, to)).is_empty(), "{from}");
        }
        assert!(!faults(&format!("{GOOD}{GOOD}")).is_empty());
    }
}
