use super::*;

fn locales() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../locales")
}

fn assets() -> Assets {
    let built = |id: &str| Built {
        script: format!("{id}-1.js"),
        wasm: format!("{id}-1_bg.wasm"),
        integrity: "sha256-x".to_owned(),
    };
    Assets {
        programs: Program::EACH.map(|p| built(p.id())),
        embeds: IDS.map(|lab| (lab, built(&format!("embed-{lab}")))).into(),
        tools: built("tools"),
        styles: ["a.css", "b.css", "c.css", "d.css"].map(str::to_owned),
    }
}

fn all() -> Vec<(Kind, String)> {
    let catalogues = Catalogues::load(&locales()).unwrap();
    Kind::all().into_iter().map(|k| (k, render(k, &assets(), &catalogues, None))).collect()
}

#[test]
fn built_files_get_names_that_change_with_them() {
    let folder = std::env::temp_dir().join(format!("tokenyard-built-{}", std::process::id()));
    let (stage, out) = (folder.join("stage"), folder.join("out"));
    fs::create_dir_all(&stage).unwrap();
    fs::create_dir_all(&out).unwrap();
    assert!(take_program(&stage, &out, "app").unwrap_err().to_string().contains("app….js"));
    let mut names = std::collections::BTreeSet::new();
    for (script, wasm) in [("app.js", "app_bg.wasm"), ("app-0a1.js", "app-0a1_bg.wasm")] {
        for content in ["a", "b"] {
            // An empty module with a section of its own making.
            let module = [b"\0asm\x01\0\0\0\0\x02\x01", content.as_bytes()].concat();
            fs::write(stage.join(script), "x").unwrap();
            fs::write(stage.join(wasm), &module).unwrap();
            // Another program of a longer name is not taken for it.
            fs::write(stage.join("apples_bg.wasm"), "y").unwrap();
            let built = take_program(&stage, &out, "app").unwrap();
            assert_eq!(fs::read(out.join(&built.wasm)).unwrap(), module);
            names.insert(built.wasm);
        }
        fs::remove_file(stage.join(wasm)).unwrap();
    }
    assert_eq!(names.len(), 2);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_page_loads_the_program_that_shows_it() {
    for (kind, html) in all() {
        let own = kind.lab().filter(|_| kind.is_embed()).map(|lab| format!("embed-{}-1_bg.wasm", lab.id));
        assert!(own.is_none_or(|own| html.contains(&own)), "{}", kind.id());
        for program in Program::EACH {
            let is_own = program == kind.program();
            assert_eq!(html.contains(&format!("{}-1_bg.wasm", program.id())), is_own, "{}", kind.id());
            assert!(program.shows(&kind) || !is_own);
        }
        assert_eq!(Program::Labs.shows(&kind), kind.program() == Program::Labs);
    }
}

#[test]
fn pages_follow_their_own_policy() {
    for (kind, html) in all() {
        assert!(!html.contains(" style=\""), "{}: style attributes are forbidden", kind.id());
        assert!(!html.contains(" onclick=") && !html.contains("javascript:"), "{}", kind.id());
        assert!(html.contains("base-uri 'none'; form-action 'none'"), "{}", kind.id());
        assert!(!html.contains("<base"), "{}", kind.id());
    }
}

#[test]
fn links_between_pages_are_relative_and_lead_to_files() {
    let files: Vec<String> = Kind::all().iter().map(Kind::file).collect();
    for (kind, html) in all() {
        let here = kind.file();
        let depth = here.matches('/').count();
        for link in html.split("data-go").skip(1).filter_map(|s| s.split("href=\"").nth(1)?.split('"').next())
        {
            let up = link.matches("../").count();
            assert_eq!(up, depth, "{here} -> {link}");
            let target = link.trim_start_matches("./").replace("../", "");
            assert!(files.contains(&target), "{here} -> {link}");
        }
    }
}

#[test]
fn the_first_frame_is_in_the_file() {
    for (kind, html) in all() {
        let Kind::Lab(lab) = kind else {
            continue;
        };
        let run = lab.run(&lab.defaults());
        let words = Catalogues::load(&locales()).unwrap().page(kind)[0].1.clone();
        let step = run.moments()[0].step;
        let mut say = String::new();
        tokenyard_lab::markup::escape(&words.say(&run.say(step)), &mut say);
        assert!(html.split("<noscript>").next().unwrap().contains(&say), "{}: {say}", lab.id);
        assert!(html.matches("<svg").count() > 2);
        let transcript = html.split("<noscript>").nth(1).unwrap();
        assert_eq!(transcript.matches("<li>").count(), run.steps() as usize * LANGUAGES.len());
    }
}

/// In a sandbox `'self'` may match nothing, so an embed's policy names the origin, and nothing of it is
/// fetched before it is in view.
#[test]
fn embeds_bring_their_policy_and_fetch_nothing_ahead() {
    for (kind, html) in all().into_iter().filter(|(kind, _)| kind.is_embed()) {
        let (early, rest) = html.split_once("</script>").unwrap();
        assert!(
            early.contains("default-src 'none'; script-src ORIGIN 'wasm-unsafe-eval' 'sha256-"),
            "{early}"
        );
        assert!(!early.contains("'self'") && !rest.contains("'self'"), "{}", kind.id());
        assert!(!html.contains("modulepreload") && !html.contains("http-equiv=\"Content-Security-Policy\""));
        assert!(early.contains(&crate::frame::table()));
        // The script that runs is the one that the policy names.
        let boot = rest.rsplit("<script type=\"module\">").next().unwrap().split("</script>").next().unwrap();
        let hash = STANDARD.encode(Sha256::digest(boot.as_bytes()));
        assert!(early.contains(&hash), "{}", kind.id());
    }
}

/// An embed without the question shows the answer, one with it does not, and every part and knob that
/// an address can list is there to be hidden.
#[test]
fn an_embed_holds_both_of_its_first_frames() {
    for (kind, html) in all().into_iter().filter(|(kind, _)| kind.is_embed()) {
        let lab = kind.lab().unwrap();
        let (open, asking) =
            html.split("<noscript>").next().unwrap().split_once("<template id=\"asking\">").unwrap();
        assert!(!open.contains("is-covered") && open != asking, "{}", lab.id);
        for frame in [open, asking] {
            for spec in lab.params.iter().chain(lab.views) {
                assert!(frame.contains(&format!("data-link=\"{}\"", spec.link)), "{} {}", lab.id, spec.link);
            }
            let parts = crate::frame::Part::ALL.into_iter().filter(|p| {
                (*p != crate::frame::Part::Fork || lab.forks())
                    && (*p != crate::frame::Part::Luck || lab.has_seed())
            });
            for part in parts {
                assert!(frame.contains(&format!("data-part=\"{}\"", part.id())), "{} {}", lab.id, part.id());
            }
        }
    }
}

/// An address of the site adds tags to heads and changes addresses in oEmbed answers, and nothing else.
#[test]
fn the_address_of_the_site_adds_cards_and_nothing_else() {
    let (catalogues, site) =
        (Catalogues::load(&locales()).unwrap(), SiteUrl::parse("https://example.org/y").unwrap());
    for (kind, without) in all() {
        let with = render(kind, &assets(), &catalogues, Some(&site));
        let words = catalogues.page(kind)[0].1.clone();
        let is_tag = |line: &&str| {
            ["rel=\"canonical\"", "=\"og:", "=\"twitter:", "+oembed"].iter().any(|t| line.contains(t))
        };
        let rest: Vec<&str> = with.lines().filter(|line| !is_tag(line)).collect();
        assert!(rest == without.lines().collect::<Vec<_>>(), "{}", kind.id());
        assert!(
            !without.lines().any(|line| is_tag(&line)) && !without.contains("example.org"),
            "{}",
            kind.id()
        );
        assert_eq!(with.lines().filter(is_tag).count() > 4, !kind.is_embed(), "{}", kind.id());
        let answers = [Some(&site), None].map(|site| card::oembed(&kind, &words, site));
        assert_eq!(answers[0].is_some(), card::oembed_file(&kind).is_some());
        let [Some(whole), Some(relative)] = answers else {
            continue;
        };
        let mut back: serde_json::Value =
            serde_json::from_str(&whole.replace("https://example.org/y/", &kind.root())).unwrap();
        let relative: serde_json::Value = serde_json::from_str(&relative).unwrap();
        assert!(relative["relative"].as_str().unwrap().contains("--site-url") && back["relative"].is_null());
        back["relative"] = relative["relative"].clone();
        assert_eq!(back, relative, "{}", kind.id());
        for key in ["version", "type", "html", "width", "height", "title"] {
            assert!(!relative[key].is_null(), "{key}");
        }
        assert!(whole.replace("&amp;", "&").contains(&kind.state()));
    }
}

/// Every page finds itself again by its name, and every preset has one.
#[test]
fn pages_are_found_by_their_names() {
    for kind in Kind::all() {
        assert_eq!(Kind::parse(&kind.id()), Some(kind));
    }
    let presets: usize = tokenyard_lab::labs::LABS.iter().map(|lab| lab.presets.len()).sum();
    assert_eq!(Kind::all().iter().filter(|k| matches!(k, Kind::Preset(..))).count(), presets);
    for unknown in ["", "p/", "p/herding", "p/herding-", "labs/nothing", "embed/", "x/herding"] {
        assert!(Kind::parse(unknown).is_none(), "{unknown}");
    }
}

#[test]
fn the_same_page_is_the_same_file() {
    assert_eq!(all(), all());
}

#[test]
fn words_that_are_left_out_are_not_missed() {
    let catalogues = Catalogues::load(&locales()).unwrap();
    for kind in Kind::all() {
        let whole = catalogues.page(kind);
        let some = |(lang, words): &(String, std::sync::Arc<tokenyard_lab::Words>)| {
            let said = words.keys().filter(|key| document::is_said(&kind, key));
            let kept: tokenyard_lab::Words = said.map(|k| (k.to_owned(), words.get(k).to_owned())).collect();
            (lang.clone(), std::sync::Arc::new(kept))
        };
        let kept = whole.iter().map(some).collect();
        for lang in LANGUAGES {
            let draw = |languages: &Vec<_>| {
                let page = Page { kind, root: kind.root(), single: false, languages: languages.clone() };
                Owner::new().with(|| {
                    let shell = Shell::new(kind.program(), page, (*lang).to_owned(), Colours::System);
                    view! { <App shell pages=app::every /> }.to_html()
                })
            };
            assert!(draw(&whole) == draw(&kept), "{} in {lang} shows a key", kind.id());
        }
    }
}

/// The home page's scene moves: at every step it must have its words.
#[test]
fn the_scene_of_the_home_page_has_its_words_at_every_step() {
    let lab = tokenyard_lab::labs::LABS.iter().find(|l| l.on_home).unwrap();
    let words = Catalogues::load(&locales()).unwrap().page(Kind::Home);
    for (lang, whole) in words {
        let said = whole.keys().filter(|key| document::is_said(&Kind::Home, key));
        let kept: tokenyard_lab::Words = said.map(|k| (k.to_owned(), whole.get(k).to_owned())).collect();
        let run = lab.run(&lab.defaults());
        for step in 0..run.steps() {
            assert_eq!(run.scene(step, false, &kept), run.scene(step, false, &whole), "{lang} {step}");
            assert_eq!(kept.say(&run.say(step)), whole.say(&run.say(step)), "{lang} {step}");
        }
        for row in lab.table(&lab.defaults()).rows {
            assert_eq!(kept.say(&row.name), whole.say(&row.name), "{lang}");
        }
        for column in lab.columns {
            assert!(kept.has(&format!("col.{}", column.key)), "{lang} {}", column.key);
        }
    }
}

#[test]
fn a_style_sheet_loses_comments_and_indentation_only() {
    assert_eq!(lean("/* a */\n.b {\n  c: d;\n\n  e: f; /* g */\n}\n"), ".b {\nc: d;\ne: f;\n}\n");
    assert_eq!(lean(""), "");
}
