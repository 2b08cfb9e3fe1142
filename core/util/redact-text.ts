export const REDACTED = '[REDACTED]'

/** Does a key of this name hold a secret? */
export function isSecretKey(name: string): boolean {
  return /secret|token|password|passwd|passphrase|key_hash|authorization|(?:api|access|private|encryption|signing)_?key$/i.test(
    name,
  )
}

/**
 * Takes credentials out of a text: the user-info of URLs, secret parameters of their query (signatures of signed addresses, too), `password=…`
 * of connection strings.
 */
export function redactText(text: string): string {
  return (
    text
      // Looks back from `://`: forward from each letter that may begin a scheme takes quadratic time.
      .replace(/(?<=\b[a-z][\w+.-]*:\/\/)[^\s/?#"'`]*@/gi, '')
      .replace(
        /((?:^|[?&\s;])[\w-]*(?:password|passwd|pwd|passphrase|secret|token|api[-_]?key|access[-_]?key|signature)=)('[^']*'|"[^"]*"|[^\s&;"']+)/gi,
        `$1${REDACTED}`,
      )
      // Names of every day, which hold a secret in addresses alone.
      .replace(/([?&](?:key|sig)=)[^\s&#"'`]+/gi, `$1${REDACTED}`)
      .replace(/\b(Bearer|Basic) [\w+/=.~-]{8,}/g, `$1 ${REDACTED}`)
  )
}
