//! The lines that phones and mail programs add below what people write.

/// The lines in lower case, without a full stop at the end and without URLs. Only complete lines match, because
/// people may begin sentences in the same way.
const LINES: [&str; 48] = [
    "sent from my iphone",
    "sent from my ipad",
    "sent from my ipod",
    "sent from my mac",
    "sent from my phone",
    "sent from my mobile",
    "sent from my mobile phone",
    "sent from my mobile device",
    "sent from my smartphone",
    "sent from my android",
    "sent from my android phone",
    "sent from my android device",
    "sent from my blackberry",
    "sent from my windows phone",
    "sent from my samsung galaxy smartphone",
    "sent from mail for windows",
    "sent from mail for windows 10",
    "sent from outlook",
    "sent from outlook for ios",
    "sent from outlook for android",
    "sent from proton mail",
    "sent from proton mail for ios",
    "sent from proton mail for android",
    "sent from protonmail mobile",
    "sent with proton mail",
    "sent with proton mail secure email",
    "sent with protonmail secure email",
    "sent using zoho mail",
    "sent from yahoo mail on android",
    "sent from yahoo mail for iphone",
    "get outlook for ios",
    "get outlook for android",
    "von meinem iphone gesendet",
    "von meinem ipad gesendet",
    "von meinem telefon gesendet",
    "von meinem mobiltelefon gesendet",
    "von meinem smartphone gesendet",
    "von meinem android-gerät gesendet",
    "von meinem android-mobiltelefon gesendet",
    "von outlook für ios gesendet",
    "gesendet von mail für windows",
    "envoyé de mon iphone",
    "envoyé de mon ipad",
    "envoyé de mon téléphone",
    "enviado desde mi iphone",
    "enviado do meu iphone",
    "inviato da iphone",
    "verstuurd vanaf mijn iphone",
];

/// Whether a phone or a mail program added the line.
pub fn is_of_device(line: &str) -> bool {
    let line = line.trim();
    if line.len() > 300 {
        return false;
    }
    let line = without_urls(line).to_lowercase();
    let line = line.trim_end_matches('.').trim_end();
    LINES.contains(&line)
}

/// Returns the line without URLs, and the brackets of links in Markdown.
fn without_urls(line: &str) -> String {
    let mut words = String::new();
    let mut rest = line;
    while let Some(start) = rest.find("<http").or_else(|| rest.find("](http")) {
        words.push_str(&rest[..start]);
        let end = rest[start..].find(['>', ')']);
        rest = end.map_or("", |end| &rest[start + end + 1..]);
    }
    words.push_str(rest);
    let words = words.replace('[', "");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
