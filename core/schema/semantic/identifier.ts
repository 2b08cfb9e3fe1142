import { isContainer, isVin } from './check-digits.ts'
import { COUNTRIES } from './code-lists.ts'
import { type SemanticScalar, text } from './semantic-scalar.ts'

const VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*))*)?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/

export const IDENTIFIER: readonly SemanticScalar[] = [
  text({
    name: 'Slug',
    description: 'Words of lower-case letters and digits with hyphens between them.',
    example: '"first-post"',
    wants: 'words of lower-case letters and digits with single hyphens between them',
    check: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  }),
  text({
    name: 'SemanticVersion',
    description: 'A version by Semantic Versioning 2.0.0.',
    specifiedByUrl: 'https://semver.org/spec/v2.0.0.html',
    unordered: true,
    example: '"1.4.0-beta.2"',
    wants: 'a version by Semantic Versioning 2',
    check: (value) => value.length <= 256 && VERSION.test(value),
  }),
  text({
    name: 'HashSHA256',
    description: 'A SHA-256 hash: 64 hexadecimal digits.',
    specifiedByUrl: 'https://csrc.nist.gov/pubs/fips/180-4/upd1/final',
    example: `"${'e3b0c442'.repeat(8)}"`,
    wants: '64 hexadecimal digits',
    check: /^[0-9A-Fa-f]{64}$/,
  }),
  text({
    name: 'APIKey',
    description: 'A key of 16 to 256 characters: letters, digits and `. _ ~ + / = -`.',
    example: '"sk_live_4eC39HqLyjWDarjtT1zdp7dc"',
    wants: '16 to 256 letters, digits and . _ ~ + / = -',
    check: /^[A-Za-z0-9._~+/=-]{16,256}$/,
  }),
  text({
    name: 'LicensePlate',
    description: 'The plate of a vehicle: 2 to 12 letters and digits, with single spaces or hyphens between them.',
    example: '"B-AB 1234"',
    wants: '2 to 12 letters and digits, with single spaces or hyphens between them',
    check: /^[\p{L}\p{Nd}](?:[ -]?[\p{L}\p{Nd}]){1,11}$/u,
  }),
  text({
    name: 'VIN',
    description: 'A vehicle: 17 characters without I, O and Q, the ninth a check digit.',
    specifiedByUrl: 'https://www.iso.org/standard/52200.html',
    example: '"1HGCM82633A004352"',
    wants: '17 characters without I, O and Q, with a right check digit',
    check: (value) => /^[A-HJ-NPR-Z0-9]{17}$/.test(value) && isVin(value),
  }),
  text({
    name: 'TrackingNumber',
    description: 'A parcel at its carrier: 8 to 40 upper-case letters and digits.',
    example: '"1Z999AA10123456784"',
    wants: '8 to 40 upper-case letters and digits',
    check: /^[A-Z0-9]{8,40}$/,
  }),
  text({
    name: 'ContainerNumber',
    description: 'A container by ISO 6346: four letters, six digits, a check digit.',
    specifiedByUrl: 'https://www.iso.org/standard/83558.html',
    example: '"CSQU3054383"',
    wants: 'four letters, the last U, J or Z, six digits and a right check digit',
    check: (value) => /^[A-Z]{3}[UJZ]\d{7}$/.test(value) && isContainer(value),
  }),
  text({
    name: 'AirportCode',
    description: 'An airport by IATA: three upper-case letters.',
    specifiedByUrl: 'https://www.iata.org/en/publications/directories/code-search/',
    example: '"BER"',
    wants: 'three upper-case letters',
    check: /^[A-Z]{3}$/,
  }),
  text({
    name: 'PortCode',
    description:
      'A place of trade by UN/LOCODE: two letters of the country, or `XZ` for waters of none, three of the place.',
    specifiedByUrl: 'https://unece.org/trade/uncefact/unlocode',
    example: '"DEHAM"',
    wants: 'two letters of a country, and three letters or digits from 2 to 9',
    check: (value) =>
      /^[A-Z]{2}[A-Z2-9]{3}$/.test(value) && (COUNTRIES.has(value.slice(0, 2)) || value.startsWith('XZ')),
  }),
  text({
    name: 'FlightNumber',
    description: 'A flight: two characters of the airline, 1 to 4 digits, a letter or none.',
    example: '"LH400"',
    wants: 'two characters of the airline, and 1 to 4 digits with a letter or without',
    check: /^(?:[A-Z][A-Z0-9]|[0-9][A-Z])\d{1,4}[A-Z]?$/,
  }),
]
