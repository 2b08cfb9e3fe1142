/**
 * A URL that somebody wrote by hand, with each percent sign that begins no percent-encoded UTF-8 as `%25`: it stands for itself.
 * Whoever decodes the rest finds nothing to stumble over (`redis://app:50%off@host`, `sqlite:./100%.db`).
 */
export function escapePercents(url: string): string {
  return url.replace(/(?:%[0-9a-f]{2})+|%/gi, (run) => (isEncoded(run) ? run : run.replaceAll('%', '%25')))
}

function isEncoded(run: string): boolean {
  try {
    decodeURIComponent(run)
    return true
  } catch {
    return false
  }
}
