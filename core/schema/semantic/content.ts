import { parseString } from '../scalar-text.ts'
import { type SemanticScalar, text } from './semantic-scalar.ts'

/**
 * Makes a scalar for texts of any length and content: every text is valid Markdown, and browsers repair invalid HTML.
 */
function document(name: string, description: string, specifiedByUrl: string, example: string): SemanticScalar {
  const parse = (value: unknown): string => {
    try {
      return parseString(value)
    } catch (error) {
      throw new Error((error as Error).message.replace(/^String/, name))
    }
  }
  return { name, description, specifiedByUrl, base: 'String', example, parse }
}

const TOKEN = '[A-Za-z0-9!#$&^_.+-]+'
const RESTRICTED = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}'
const MIME = new RegExp(`^${RESTRICTED}/${RESTRICTED}(?:; ?${TOKEN}=(?:${TOKEN}|"[^"\\\\]*"))*$`)
const PATH =
  /^(?!\s)(?:(?:https?|ftp|file|s3|gs):\/\/[^\s/]+\/?[^\s]*|(?!\w+:)[^<>"|?*\s]+(?: [^<>"|?*\s]+)*(?:\?[^\s]*)?)$/
const DATA = /^data:image\/[A-Za-z0-9.+-]+(?:;[A-Za-z0-9=-]+)*,[A-Za-z0-9+/=%._~-]+$/

/** Tests a data URL. If it declares Base64, its data must be Base64. */
function isData(value: string): boolean {
  if (!DATA.test(value)) return false
  const [, base64] = /;base64,(.*)$/.exec(value) ?? []
  return base64 === undefined || (base64.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64))
}

export const CONTENT: readonly SemanticScalar[] = [
  document('Markdown', 'A text in Markdown.', 'https://spec.commonmark.org/', '"# Title"'),
  document(
    'HTML',
    'A text in HTML. It goes through as it is: nothing is taken out of it.',
    'https://html.spec.whatwg.org/',
    '"<p>Hello</p>"',
  ),
  text({
    name: 'MimeType',
    description: 'A media type: `type/subtype`, with parameters or without.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc6838',
    example: '"image/png"',
    wants: 'a media type',
    check: (value) => value.length <= 255 && MIME.test(value),
  }),
  text({
    name: 'Color',
    description: 'A colour: `#RGB`, `#RRGGBB` or `#RRGGBBAA`.',
    specifiedByUrl: 'https://www.w3.org/TR/css-color-4/#hex-notation',
    example: '"#1e90ff"',
    wants: '#RGB, #RRGGBB or #RRGGBBAA',
    check: /^#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$/,
  }),
  text({
    name: 'Image',
    description: 'An image by its URL, path or `data:` reference.',
    example: '"https://example.org/cat.png"',
    wants: 'a URL, a path or a data: reference of an image',
    check: (value) => PATH.test(value) || isData(value),
  }),
  text({
    name: 'File',
    description: 'A file by its URL or path.',
    example: '"/reports/2026.pdf"',
    wants: 'a URL or a path',
    check: PATH,
  }),
]
