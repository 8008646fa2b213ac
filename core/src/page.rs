//! A rule's page: one Markdown file that explains, and whose examples are tests.

/// A parsed page. Sections that a page lacks are empty.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// The rule's id, from the title.
    pub id: &'static str,
    sections: Vec<(&'static str, &'static str)>,
}

/// A fenced block of a page.
#[derive(Clone, Debug)]
pub struct Block {
    /// The words behind the opening fence: the language first.
    pub info: &'static str,
    /// The text between the fences.
    pub text: &'static str,
}

impl Page {
    /// Splits a page at its headings.
    #[must_use]
    pub fn parse(text: &'static str) -> Self {
        let mut sections = text.split("\n## ");
        let id = sections.next().and_then(|title| title.trim().strip_prefix("# ")).unwrap_or_default();
        let id = id.lines().next().unwrap_or_default().trim();
        let sections = sections.filter_map(|section| section.split_once('\n'));
        Self { id, sections: sections.map(|(heading, body)| (heading.trim(), body.trim())).collect() }
    }

    /// A section's body.
    #[must_use]
    pub fn section(&self, heading: &str) -> &'static str {
        self.sections.iter().find(|(title, _)| *title == heading).map_or("", |(_, body)| body)
    }

    /// The first paragraph of *Why*.
    #[must_use]
    pub fn why(&self) -> &'static str {
        first_paragraph(self.section("Why"))
    }

    /// The first paragraph of *Fix*.
    #[must_use]
    pub fn fix(&self) -> &'static str {
        first_paragraph(self.section("Fix"))
    }

    /// The fenced blocks of a section.
    #[must_use]
    pub fn blocks(&self, heading: &str) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut rest = self.section(heading);
        while let Some((_, fenced)) = rest.split_once("```") {
            let Some((info, body)) = fenced.split_once('\n') else { break };
            let (text, behind) = body.split_once("\n```").unwrap_or((body, ""));
            blocks.push(Block { info: info.trim(), text });
            rest = behind;
        }
        blocks
    }
}

/// Pages write one paragraph as one line, so that it reads the same in a terminal and on the web.
fn first_paragraph(section: &'static str) -> &'static str {
    section.split("\n\n").next().unwrap_or_default().trim()
}
