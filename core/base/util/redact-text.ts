export const REDACTED = '[REDACTED]'

/**
 * Tests whether a key is named like a secret: `password`, `client_secret`, `api_key`. The value of such a key is
 * redacted.
 */
export function isSecretKey(name: string): boolean {
  return /secret|token|password|passwd|passphrase|key_hash|authorization|(?:api|access|private|encryption|signing)_?key$/i.test(
    name,
  )
}

/**
 * Removes credentials from a text before it is logged: user and password of URLs, secret query parameters (also
 * signatures of signed URLs), `password=…` of connection strings, bearer and basic credentials.
 */
export function redactText(text: string): string {
  return (
    text
      // Searches backwards from `://`: a forward search from each letter that may begin a scheme takes quadratic time.
      .replace(/(?<=\b[a-z][\w+.-]*:\/\/)[^\s/?#"'`]*@/gi, '')
      .replace(
        /((?:^|[?&\s;])[\w-]*(?:password|passwd|pwd|passphrase|secret|token|api[-_]?key|access[-_]?key|signature)=)('[^']*'|"[^"]*"|[^\s&;"']+)/gi,
        `$1${REDACTED}`,
      )
      // Common words, which name secrets only in query strings.
      .replace(/([?&](?:key|sig)=)[^\s&#"'`]+/gi, `$1${REDACTED}`)
      .replace(/\b(Bearer|Basic) [\w+/=.~-]{8,}/g, `$1 ${REDACTED}`)
  )
}
