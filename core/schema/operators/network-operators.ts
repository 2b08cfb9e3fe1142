import { addressOrNetwork, semantic, whole } from './convert-special.ts'
import { ADDRESS_RANGE } from './operand-inputs.ts'
import type { OperandKind, OperatorEntry } from './operator.ts'

const ADDRESSES = ['IPAddress', 'IPv4', 'IPv6']

function net(
  name: string,
  operand: OperandKind,
  description: string,
  convert?: (value: unknown) => unknown,
  scalars: readonly string[] = ADDRESSES,
): OperatorEntry {
  return {
    id: `${name}:inet`,
    name,
    groups: [],
    scalars,
    operand,
    description,
    ...(operand === 'object' ? { input: ADDRESS_RANGE } : {}),
    ...(convert === undefined ? {} : { convert }),
  }
}

const is = (name: string, what: string): OperatorEntry => net(name, 'boolean', `true: is ${what}. false: is not.`)

/** Filter operators for IP addresses and networks. */
export const NETWORK_OPERATORS: readonly OperatorEntry[] = [
  net('_in_subnet', 'string', 'Lies in this network.', addressOrNetwork, [...ADDRESSES, 'CIDR']),
  net('_in_range', 'object', 'Lies between these addresses, both included.', whole(ADDRESS_RANGE)),
  is('_is_ipv4', 'of version 4'),
  is('_is_ipv6', 'of version 6'),
  is('_is_private', 'in a network of its own (RFC 1918, fc00::/7)'),
  is('_is_public', 'none of private, loopback, multicast, link-local, documentation and carrier-grade'),
  is('_is_loopback', 'of the machine itself'),
  is('_is_multicast', 'a multicast address'),
  is('_is_link_local', 'of one link only'),
  is('_is_documentation', 'reserved for documentation'),
  is('_is_carrier_grade', 'shared by customers of a carrier (100.64.0.0/10)'),
  net('_contains_subnet', 'string', 'Holds this network, and more.', semantic('CIDR'), ['CIDR']),
  net('_contains_ip', 'string', 'Holds this address.', semantic('IPAddress'), ['CIDR']),
  net('_overlaps', 'string', 'Shares an address with this network.', semantic('CIDR'), ['CIDR']),
]
