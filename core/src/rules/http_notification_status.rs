//! How a notification is acknowledged over HTTP.

use super::prelude::*;

pub static RULE: Rule = Rule {
    id: "http-notification-status",
    summary: "a notification over HTTP is not acknowledged with 202",
    level: Level::Warning,
    basis: Basis::General,
    since: "0.1.0",
    page: include_str!("http_notification_status.md"),
    check: Check::Server(check),
};

fn check(server: &Server<'_>, out: &mut Out<'_>) {
    let Some(main) = server.main() else { return };
    let Some(http) = &main.launch.http else { return };
    let mut of_notification = http.answers.iter().filter(|answer| main.is_initialized(answer));
    let odd = of_notification.find_map(|answer| answer.status.filter(|status| !matches!(status, 202 | 204)));
    if let Some(status) = odd {
        let message = format!("`notifications/initialized` is answered with status {status}; it has to be 202.");
        out.report(Site::of(Kind::Server, "notifications/initialized"), message);
    }
}
