import {
  circle,
  country,
  currency,
  lower,
  matching,
  oneOf,
  postalPattern,
  prefix,
  range,
  suffix,
} from './convert-special.ts'
import { DISTANCE, NUMBER_RANGE } from './operand-inputs.ts'
import type { OperandKind, OperatorEntry } from './operator.ts'

/** Makes an operator of semantic scalars. @param of the semantic scalar, or several that share the SQL */
function special(
  of: string | readonly string[],
  name: string,
  operand: OperandKind,
  description: string,
  convert?: (value: unknown) => unknown,
): OperatorEntry {
  const scalars = typeof of === 'string' ? [of] : of
  return {
    id: `${name}:${scalars[0]}`,
    name,
    groups: [],
    scalars,
    operand,
    description,
    ...(operand === 'object' ? { input: name === '_distance_within' ? DISTANCE : NUMBER_RANGE } : {}),
    ...(convert === undefined ? {} : { convert }),
  }
}

const NUMBERS = ['Latitude', 'Longitude', 'ExchangeRate', 'Percentage']
const domain = matching(/^[^\s@]{1,254}$/, 'a domain, such as "example.org"', lower)
const tld = matching(/^[^\s.@]{1,63}$/, 'the last label of a name, such as "org"', lower)
const dialCode = matching(
  /^\+?[1-9]\d{0,3}$/,
  'a country code, such as "49" or "+49"',
  (code) => `+${code.replace('+', '')}%`,
)
const protocol = matching(/^(?:https?|ftps?|wss?)$/, 'http, https, ftp, ftps, ws or wss')

const HEX = '[0-9A-Fa-f]'
const COLORS = { RGB: `^#${HEX}{3}$`, RRGGBB: `^#${HEX}{6}$`, RRGGBBAA: `^#${HEX}{8}$` }
const CARRIERS = {
  UPS: '^1Z[A-Z0-9]{16}$',
  FedEx: '^([0-9]{12}|[0-9]{15}|96[0-9]{20})$',
  DHL: '^([0-9]{10}|JJ?D[0-9]{16,20})$',
  USPS: '^(9[1-5][0-9]{20}|[A-Z]{2}[0-9]{9}US)$',
}
const OTHER = `^(?!${Object.values(CARRIERS)
  .map((pattern) => pattern.slice(1))
  .join('|')})`
/** An image format, as the extension of a path or in a `data:` type. */
const imageFormat = matching(/^[a-z0-9]{2,5}$/, 'a format in lower case, such as "png"', (format) => {
  const endings = format === 'jpg' || format === 'jpeg' ? 'jpe?g' : format
  return `(^data:image/(${endings})[;,])|([.](${endings})([?#].*)?$)`
})

/** Filter operators that compare a part of a text, such as the domain of an email address. */
export const CODE_OPERATORS: readonly OperatorEntry[] = [
  special('Email', '_domain_eq', 'string', 'The part behind the @ is this, in any case.', domain),
  special('Email', '_domain_neq', 'string', 'The part behind the @ is another. Null is neither.', domain),
  special('Email', '_domain_in', 'strings', 'The part behind the @ is one of these, in any case.', domain),
  special('Email', '_domain_nin', 'strings', 'The part behind the @ is none of these. Null is neither.', domain),
  special(
    'Email',
    '_domain_endswith',
    'string',
    'The part behind the @ ends with this; it begins with a dot: `.org`.',
    matching(/^\.[^\s@]{1,253}$/, 'the end of a domain, which begins with a dot: ".org"', (text) =>
      suffix(lower(text)),
    ),
  ),
  special(
    'Email',
    '_local_part_startswith',
    'string',
    'The part before the @ starts with this.',
    matching(/^[^\s@]{1,64}$/, 'the start of a name before the @', prefix),
  ),
  special('PhoneNumber', '_country_code_eq', 'string', 'The country code is this, with `+` or without.', dialCode),
  special('PhoneNumber', '_country_code_in', 'strings', 'The country code is one of these.', dialCode),
  special('PhoneNumber', '_is_valid', 'boolean', 'true: is a number in E.164. false: is none.'),
  special('URL', '_protocol_eq', 'string', 'The protocol is this.', protocol),
  special(
    'URL',
    '_host_eq',
    'string',
    'The host is this, in any case.',
    matching(/^[^\s/?#@]{1,253}$/, 'a host', lower),
  ),
  special(
    'URL',
    '_path_startswith',
    'string',
    'The path starts with this.',
    matching(/^\/\S{0,2000}$/, 'the start of a path, which begins with /', prefix),
  ),
  special('DomainName', '_tld_eq', 'string', 'The last label is this, in any case.', tld),
  special('DomainName', '_tld_in', 'strings', 'The last label is one of these, in any case.', tld),
  special('Hostname', '_is_fqdn', 'boolean', 'true: has a domain. false: is a single label.'),
  special('Hostname', '_depth_eq', 'int', 'Has this many labels.'),
  special('PostalCode', '_country_eq', 'string', 'Has the form of the postal codes of this country.', postalPattern),
  special(NUMBERS, '_within_range', 'object', 'Is not less than min and not more than max.', range(NUMBER_RANGE)),
  special(
    'Latitude',
    '_hemisphere_eq',
    'string',
    '`North` (with the equator) or `South`.',
    oneOf({ North: '1', South: '-1' }),
  ),
  special(
    'Longitude',
    '_hemisphere_eq',
    'string',
    '`East` (with Greenwich) or `West`.',
    oneOf({ East: '1', West: '-1' }),
  ),
  special(
    'Coordinates',
    '_distance_within',
    'object',
    'Is not farther than radiusKm from the point, on a sphere.',
    circle(DISTANCE),
  ),
  special('IBAN', '_country_eq', 'string', 'The first two letters are this country.', country),
  special('IBAN', '_check_digit_eq', 'string', 'The check digits are these two.', matching(/^\d{2}$/, 'two digits')),
  special(
    'CUSIP',
    '_issuer_eq',
    'string',
    'The first six characters are these.',
    matching(/^[A-Z0-9*@#]{6}$/, 'six characters'),
  ),
  special(
    'ISIN',
    '_country_eq',
    'string',
    'The first two letters are these.',
    matching(/^[A-Z]{2}$/, 'two upper-case letters'),
  ),
  special('SEDOL', '_check_digit_eq', 'string', 'The last digit is this.', matching(/^\d$/, 'one digit')),
  special('Money', '_currency_eq', 'string', 'The currency is this.', currency),
  special(
    'Money',
    '_amount_within_range',
    'object',
    'The amount is not less than min and not more than max, whatever the currency.',
    range(NUMBER_RANGE),
  ),
  special(
    'VIN',
    '_wmi_eq',
    'string',
    "The manufacturer's first three characters are these.",
    matching(/^[A-HJ-NPR-Z0-9]{3}$/, 'three characters without I, O and Q'),
  ),
  special(
    'TrackingNumber',
    '_carrier_eq',
    'string',
    '`UPS`, `FedEx`, `DHL`, `USPS` by the form of the number, or `Other`.',
    oneOf({ ...CARRIERS, Other: OTHER }),
  ),
  special(
    'ContainerNumber',
    '_owner_code_eq',
    'string',
    "The owner's three letters, or four with the category.",
    matching(/^[A-Z]{3,4}$/, 'three or four upper-case letters', prefix),
  ),
  special(
    'FlightNumber',
    '_airline_code_eq',
    'string',
    "The airline's two characters are these.",
    matching(/^[A-Z0-9]{2}$/, 'two upper-case letters or digits'),
  ),
  special('Color', '_format_eq', 'string', '`RGB`, `RRGGBB` or `RRGGBBAA`.', oneOf(COLORS)),
  special('Image', '_format_eq', 'string', 'The ending of its path, or its `data:` type: `png`.', imageFormat),
]
