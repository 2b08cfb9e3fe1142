import { isIP, isIPv4, isIPv6 } from 'node:net'
import { parseInt32 } from '../scalar-number.ts'
import { number, type SemanticScalar, text } from './semantic-scalar.ts'

/**
 * Tests whether a text is an IP address. An address with a zone (`%eth0`) is rejected, because it is valid on one
 * machine only.
 */
export const isAddress = (value: string): boolean => isIP(value) !== 0 && !value.includes('%')

/** Returns the bits of an address. */
function bitsOf(address: string): string {
  if (isIPv4(address))
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('')
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) => {
    const pair = (x: string, y: string): string => (Number(x) * 256 + Number(y)).toString(16)
    return `${pair(a, b)}:${pair(c, d)}`
  })
  const [head = '', tail] = plain.split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const left = groups(head)
  const right = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0')).join('')
}

/**
 * Tests whether a text is a network in CIDR notation, such as `10.0.0.0/8`. The bits after the prefix must be zero, as
 * PostgreSQL's type `cidr` requires.
 */
export function isCidr(value: string): boolean {
  const [, address, prefix] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(value) ?? []
  if (address === undefined || !isAddress(address)) return false
  const bits = bitsOf(address)
  return Number(prefix) <= bits.length && !bits.slice(Number(prefix)).includes('1')
}

export const NETWORK: readonly SemanticScalar[] = [
  text({
    name: 'IPAddress',
    description: 'An address of the internet protocol, version 4 or 6.',
    columns: ['inet'],
    example: '"192.0.2.1" or "2001:db8::1"',
    wants: 'an IPv4 or IPv6 address',
    check: isAddress,
  }),
  text({
    name: 'IPv4',
    description: 'An address of the internet protocol, version 4.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc791',
    columns: ['inet'],
    example: '"192.0.2.1"',
    wants: 'four numbers from 0 to 255 with dots between them',
    check: isIPv4,
  }),
  text({
    name: 'IPv6',
    description: 'An address of the internet protocol, version 6.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc4291',
    columns: ['inet'],
    example: '"2001:db8::1"',
    wants: 'an IPv6 address',
    check: (value) => isIPv6(value) && isAddress(value),
  }),
  text({
    name: 'MACAddress',
    description: 'A hardware address: six octets with colons or hyphens between them.',
    specifiedByUrl: 'https://standards.ieee.org/ieee/802/6168/',
    columns: ['macaddr'],
    example: '"08:00:2b:01:02:03"',
    wants: 'six octets with colons or hyphens between them',
    check: /^[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}$/,
  }),
  text({
    name: 'CIDR',
    description: 'A network in prefix notation; the bits behind the prefix are zero.',
    specifiedByUrl: 'https://datatracker.ietf.org/doc/html/rfc4632',
    columns: ['cidr', 'inet'],
    example: '"10.0.0.0/8"',
    wants: 'a network whose bits behind the prefix are zero',
    check: isCidr,
  }),
  number({
    name: 'Port',
    description: 'A port of TCP or UDP, from 0 to 65535.',
    base: 'Int',
    example: '443',
    wants: 'an integer from 0 to 65535',
    of: parseInt32,
    bounds: { min: 0, max: 65_535 },
  }),
]
