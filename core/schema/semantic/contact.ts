import { type SemanticScalar, text } from './semantic-scalar.ts'

/** A dot-atom of RFC 5322, with the characters of RFC 6531. */
const LOCAL_WORD = "(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]|(?!\\s)[^\\0-\\x7f])+"
const LOCAL = new RegExp(`^(?=.{1,64}$)${LOCAL_WORD}(?:\\.${LOCAL_WORD})*$`, 'u')
/** A label of a mail domain in Unicode form, with letters of any language. The last label must not be a number. */
const MAIL_LABEL = '(?!-)(?:[\\p{L}\\p{M}\\p{N}]|-(?![.]|$)){1,63}'
const MAIL_DOMAIN = new RegExp(`^${MAIL_LABEL}(?:\\.${MAIL_LABEL})*\\.(?!\\p{N}+$)${MAIL_LABEL}$`, 'u')
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

function isEmail(value: string): boolean {
  const at = value.lastIndexOf('@')
  return value.length <= 254 && at > 0 && LOCAL.test(value.slice(0, at)) && MAIL_DOMAIN.test(value.slice(at + 1))
}

/** Normalises a telephone number to E.164. Spaces, dots, hyphens and parentheses are removed. */
function toE164(value: string): string | null {
  const digits = value.length <= 20 ? value.replace(/[ .()-]/g, '') : ''
  return /^\+[1-9]\d{0,14}$/.test(digits) ? digits : null
}

function isUrl(value: string): boolean {
  if (!/^(?:https?|ftp):\/\/[^\s/?#]+[^\s]*$/i.test(value)) return false
  try {
    const { hostname } = new URL(value)
    // An IPv6 address, or labels; a dot at the end stands for the root.
    return (
      hostname.startsWith('[') ||
      hostname
        .replace(/\.$/, '')
        .split('.')
        .every((label) => label !== '')
    )
  } catch {
    return false
  }
}

export function isHostname(value: string): boolean {
  return value.length <= 253 && value.split('.').every((label) => LABEL.test(label))
}

/**
 * Tests whether a text is a domain name with at least two labels, such as `example.com`. The last label must not be a
 * number, so that IP addresses are rejected.
 */
export function isDomainName(value: string): boolean {
  return isHostname(value) && /\.(?:[A-Za-z][A-Za-z0-9-]*)$/.test(value)
}

export const CONTACT: readonly SemanticScalar[] = [
  text({
    name: 'Email',
    description: 'An e-mail address of at most 254 characters.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc5322',
    example: '"name@example.org"',
    wants: 'an e-mail address',
    check: isEmail,
  }),
  text({
    name: 'PhoneNumber',
    description:
      'A telephone number in E.164: `+` and at most 15 digits. Spaces, dots, hyphens and parentheses are left out.',
    specifiedByUrl: 'https://www.itu.int/rec/T-REC-E.164',
    example: '"+4930123456"',
    wants: 'a telephone number with its country code',
    check: toE164,
  }),
  text({
    name: 'URL',
    description: 'An absolute URL of http, https or ftp.',
    specifiedByUrl: 'https://url.spec.whatwg.org/',
    example: '"https://example.org/path"',
    wants: 'an absolute URL of http, https or ftp',
    check: isUrl,
  }),
  text({
    name: 'DomainName',
    description: 'A name in the domain name system with at least two labels; no address.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc1035',
    example: '"example.org"',
    wants: 'a domain name',
    check: isDomainName,
  }),
  text({
    name: 'Hostname',
    description: 'The name of a host: labels of letters, digits and hyphens, with dots between them.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc1123',
    example: '"web-1.example.org"',
    wants: 'labels of letters, digits and hyphens',
    check: isHostname,
  }),
  text({
    name: 'PostalCode',
    description: 'A postal code: 3 to 10 letters and digits, with single spaces or hyphens between them.',
    example: '"SW1A 1AA"',
    wants: '3 to 10 letters and digits',
    check: (value) => value.length <= 12 && /^[A-Za-z0-9](?:[ -]?[A-Za-z0-9]){2,9}$/.test(value),
  }),
]
