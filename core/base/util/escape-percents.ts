/**
 * Escapes each `%` of a URL that does not begin percent-encoded UTF-8 as `%25`. The result can be decoded although its
 * author wrote a plain `%`: `redis://app:50%off@host`, `sqlite:./100%.db`.
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
