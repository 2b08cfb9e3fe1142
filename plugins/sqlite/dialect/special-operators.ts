import { type EmitOperator, literal, type OperatorId, type SqlFragment } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import type { Part } from '../child/text-part.ts'

type Entry = readonly [OperatorId, EmitOperator]

const part = (name: Part, text: SqlFragment): SqlFragment => sql`svc_part(${text}, ${literal(name)})`
const equal =
  (name: Part): EmitOperator =>
  ({ text }, { sql: o }) =>
    sql`${part(name, text)} = ${o}`
const differs =
  (name: Part): EmitOperator =>
  ({ text }, { sql: o }) =>
    sql`${part(name, text)} <> ${o}`
const oneOf =
  (name: Part): EmitOperator =>
  ({ text }, { sql: o }) =>
    sql`${part(name, text)} IN (SELECT l$.value FROM json_each(${o}) l$)`
const noneOf =
  (name: Part): EmitOperator =>
  ({ text }, { sql: o }) =>
    sql`${part(name, text)} NOT IN (SELECT l$.value FROM json_each(${o}) l$)`
const like =
  (name: Part): EmitOperator =>
  ({ text }, { sql: o }) =>
    sql`svc_like(${part(name, text)}, ${o}, 0)`
const pattern: EmitOperator = ({ text }, { sql: o }) => sql`${text} REGEXP ${o}`
const test =
  (holds: (text: SqlFragment) => SqlFragment): EmitOperator =>
  ({ text }, { yes }) =>
    yes ? holds(text) : sql`NOT ${holds(text)}`
const within =
  (name: Part): EmitOperator =>
  ({ text }, { sql: o }) => {
    const key = sql`svc_known('decimal', ${part(name, text)})`
    const bound = (which: 'min' | 'max'): SqlFragment =>
      sql`svc_known('decimal', CAST(json_extract(${o}, ${literal(`$.${which}`)}) AS TEXT))`
    return sql`(${key} >= coalesce(${bound('min')}, ${key}) AND ${key} <= coalesce(${bound('max')}, ${key}))`
  }
const sign: EmitOperator = ({ value }, { sql: o }) =>
  sql`CASE WHEN ${value} >= 0 THEN '1' WHEN ${value} < 0 THEN '-1' END = ${o}`

/**
 * Filter operators that SQLite supports for scalars with a meaning, such as Email. It has no types for networks, ranges
 * and durations.
 */
export const SPECIAL: readonly Entry[] = [
  ['_domain_eq:Email', equal('domain')],
  ['_domain_neq:Email', differs('domain')],
  ['_domain_in:Email', oneOf('domain')],
  ['_domain_nin:Email', noneOf('domain')],
  ['_domain_endswith:Email', like('domain')],
  ['_local_part_startswith:Email', like('local')],
  ['_country_code_eq:PhoneNumber', like('all')],
  [
    '_country_code_in:PhoneNumber',
    ({ text }, { sql: o }) =>
      sql`CASE WHEN ${text} IS NOT NULL THEN EXISTS (SELECT 1 FROM json_each(${o}) l$ WHERE svc_like(${text}, l$.value, 0)) END`,
  ],
  ['_is_valid:PhoneNumber', test((t) => sql`(${t} REGEXP '^[+][1-9][0-9]{0,14}$')`)],
  ['_protocol_eq:URL', equal('protocol')],
  ['_host_eq:URL', equal('host')],
  ['_path_startswith:URL', like('path')],
  ['_tld_eq:DomainName', equal('lastLabel')],
  ['_tld_in:DomainName', oneOf('lastLabel')],
  ['_is_fqdn:Hostname', test((t) => sql`(instr(${t}, '.') > 0)`)],
  ['_depth_eq:Hostname', ({ text: t }, { sql: o }) => sql`length(${t}) - length(replace(${t}, '.', '')) + 1 = ${o}`],
  ['_country_eq:PostalCode', pattern],
  ['_within_range:Latitude', within('all')],
  ['_hemisphere_eq:Latitude', sign],
  ['_hemisphere_eq:Longitude', sign],
  ['_distance_within:Coordinates', ({ text }, { sql: o }) => sql`svc_near(${text}, ${o})`],
  ['_country_eq:IBAN', equal('first2')],
  ['_check_digit_eq:IBAN', ({ text }, { sql: o }) => sql`substr(${text}, 3, 2) = ${o}`],
  ['_issuer_eq:CUSIP', ({ text }, { sql: o }) => sql`substr(${text}, 1, 6) = ${o}`],
  ['_country_eq:ISIN', equal('first2')],
  ['_check_digit_eq:SEDOL', ({ text }, { sql: o }) => sql`substr(${text}, -1) = ${o}`],
  ['_currency_eq:Money', ({ text }, { sql: o }) => sql`substr(${text}, -3) = ${o}`],
  ['_amount_within_range:Money', within('amount')],
  ['_wmi_eq:VIN', ({ text }, { sql: o }) => sql`substr(${text}, 1, 3) = ${o}`],
  ['_carrier_eq:TrackingNumber', pattern],
  ['_owner_code_eq:ContainerNumber', like('all')],
  ['_airline_code_eq:FlightNumber', equal('first2')],
  ['_format_eq:Color', pattern],
  ['_format_eq:Image', ({ text }, { sql: o }) => sql`svc_iregexp(${o}, ${text})`],
]
