import { join, literal, type SqlFragment, sql } from '../../../engine/sql/fragment.ts'
import type { OperatorId } from '../../../schema/operators/operator.ts'
import type { EmitOperator } from '../../sql-value.ts'
import { PLACES } from './place-operators.ts'
import { cast } from './types.ts'
import { VECTORS } from './vector-operators.ts'

type Emit = (value: SqlFragment, operand: SqlFragment) => SqlFragment
type Entry = readonly [OperatorId, EmitOperator]

/** Expressions for parts of a text. They return NULL or a text that equals no operand if the text has no such part. */
const domain = (t: SqlFragment): SqlFragment => sql`lower(split_part(${t}, '@', 2))`
const protocol = (t: SqlFragment): SqlFragment => sql`lower(split_part(${t}, '://', 1))`
const host = (t: SqlFragment): SqlFragment =>
  sql`lower(regexp_replace(substring(${t} from '^[^:]+://([^/?#]*)'), '^.*@|:[0-9]*$', '', 'g'))`
const path = (t: SqlFragment): SqlFragment => sql`substring(${t} from '^[^:]+://[^/?#]*([^?#]*)')`
const lastLabel = (t: SqlFragment): SqlFragment => sql`lower(substring(${t} from '[^.]*$'))`
const labels = (t: SqlFragment): SqlFragment => sql`(length(${t}) - length(replace(${t}, '.', '')) + 1)`
const left2 = (t: SqlFragment): SqlFragment => sql`left(${t}, 2)`
const amount = (t: SqlFragment): SqlFragment => sql`substring(${t} from '^[+-]?[0-9]{0,200}[.]?[0-9]{1,200}')::numeric`
const latitude = (t: SqlFragment): SqlFragment => sql`radians(split_part(${t}, ',', 1)::float8)`
const longitude = (t: SqlFragment): SqlFragment => sql`radians(split_part(${t}, ',', 2)::float8)`

const onText =
  (emit: Emit): EmitOperator =>
  ({ text }, operand) =>
    emit(text, operand.sql)
const onValue =
  (emit: Emit): EmitOperator =>
  ({ value }, operand) =>
    emit(value, operand.sql)
const test =
  (holds: (target: { readonly value: SqlFragment; readonly text: SqlFragment }) => SqlFragment): EmitOperator =>
  (target, { yes }) =>
    yes ? holds(target) : sql`NOT ${holds(target)}`

const equal = (part: (t: SqlFragment) => SqlFragment): EmitOperator => onText((t, o) => sql`${part(t)} = ${o}`)
const oneOf = (part: (t: SqlFragment) => SqlFragment): EmitOperator => onText((t, o) => sql`${part(t)} = ANY(${o})`)
const like = (part: (t: SqlFragment) => SqlFragment): EmitOperator => onText((t, o) => sql`${part(t)} LIKE ${o}`)
const same = (t: SqlFragment): SqlFragment => t
const pattern = onText((t, o) => sql`${t} ~ ${o}`)

/** Makes a condition NULL if the value is null, so that its negation is not true either. */
const known = (value: SqlFragment, holds: SqlFragment): SqlFragment =>
  sql`CASE WHEN ${value} IS NOT NULL THEN ${holds} END`

/** Tests a range. For a missing bound, the comparison is NULL and counts as true. */
const between = (value: SqlFragment, o: SqlFragment, type: string): SqlFragment =>
  known(
    value,
    sql`coalesce(${value} >= ${cast(sql`(${o} ->> 'min')`, type)}, ${o} ->> 'min' IS NULL) AND coalesce(${value} <= ${cast(sql`(${o} ->> 'max')`, type)}, ${o} ->> 'max' IS NULL)`,
  )

const sign = onValue((v, o) => sql`CASE WHEN ${v} >= 0 THEN '1' WHEN ${v} < 0 THEN '-1' END = ${o}`)

/** A pattern of two numbers with a comma. Any text can be in a column. */
const COORDINATES = sql`'^ *[+-]?[0-9]{1,3}([.][0-9]{1,100})? *, *[+-]?[0-9]{1,3}([.][0-9]{1,100})? *$'`

/** Distance along the great circle, on a sphere with a radius of 6371 km. */
const distance = onText((t, o) => {
  const lat = sql`radians((${o} ->> 'latitude')::float8)`
  const lng = sql`radians((${o} ->> 'longitude')::float8)`
  const chord = sql`power(sin((${latitude(t)} - ${lat}) / 2), 2) + cos(${lat}) * cos(${latitude(t)}) * power(sin((${longitude(t)} - ${lng}) / 2), 2)`
  // `least` ignores a NULL argument, so the result is one.
  return sql`CASE WHEN ${t} ~ ${COORDINATES} THEN 12742 * asin(least(1, sqrt(${chord}))) <= (${o} ->> 'radiusKm')::float8 END`
})

const CODES: readonly Entry[] = [
  ['_domain_eq:Email', equal(domain)],
  ['_domain_neq:Email', onText((t, o) => sql`${domain(t)} <> ${o}`)],
  ['_domain_in:Email', oneOf(domain)],
  ['_domain_nin:Email', onText((t, o) => sql`${domain(t)} <> ALL(${o})`)],
  ['_domain_endswith:Email', like(domain)],
  ['_local_part_startswith:Email', like((t) => sql`split_part(${t}, '@', 1)`)],
  ['_country_code_eq:PhoneNumber', like(same)],
  ['_country_code_in:PhoneNumber', onText((t, o) => sql`${t} LIKE ANY(${o})`)],
  ['_is_valid:PhoneNumber', test(({ text }) => sql`(${text} ~ '^[+][1-9][0-9]{0,14}$')`)],
  ['_protocol_eq:URL', equal(protocol)],
  ['_host_eq:URL', equal(host)],
  ['_path_startswith:URL', like(path)],
  ['_tld_eq:DomainName', equal(lastLabel)],
  ['_tld_in:DomainName', oneOf(lastLabel)],
  ['_is_fqdn:Hostname', test(({ text }) => sql`(strpos(${text}, '.') > 0)`)],
  ['_depth_eq:Hostname', equal(labels)],
  ['_country_eq:PostalCode', pattern],
  ['_within_range:Latitude', onValue((v, o) => between(cast(v, 'numeric'), o, 'numeric'))],
  ['_hemisphere_eq:Latitude', sign],
  ['_hemisphere_eq:Longitude', sign],
  ['_distance_within:Coordinates', distance],
  ['_country_eq:IBAN', equal(left2)],
  ['_check_digit_eq:IBAN', equal((t) => sql`substr(${t}, 3, 2)`)],
  ['_issuer_eq:CUSIP', equal((t) => sql`left(${t}, 6)`)],
  ['_country_eq:ISIN', equal(left2)],
  ['_check_digit_eq:SEDOL', equal((t) => sql`right(${t}, 1)`)],
  ['_currency_eq:Money', equal((t) => sql`right(${t}, 3)`)],
  ['_amount_within_range:Money', onText((t, o) => between(amount(t), o, 'numeric'))],
  ['_wmi_eq:VIN', equal((t) => sql`left(${t}, 3)`)],
  ['_carrier_eq:TrackingNumber', pattern],
  ['_owner_code_eq:ContainerNumber', like(same)],
  ['_airline_code_eq:FlightNumber', equal(left2)],
  ['_format_eq:Color', pattern],
  ['_format_eq:Image', onText((t, o) => sql`${t} ~* ${o}`)],
]

const inet = (value: SqlFragment): SqlFragment => cast(value, 'inet')
const within = (...networks: readonly string[]): EmitOperator => test(({ value }) => isWithin(value, networks))
const isWithin = (value: SqlFragment, networks: readonly string[]): SqlFragment =>
  sql`(${join(
    networks.map((network) => sql`${inet(value)} <<= ${literal(network)}::inet`),
    ' OR ',
  )})`

const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
const LOOPBACK = ['127.0.0.0/8', '::1/128']
const MULTICAST = ['224.0.0.0/4', 'ff00::/8']
const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10']
const DOCUMENTATION = ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20']
const CARRIER_GRADE = ['100.64.0.0/10']
const NOT_PUBLIC = [
  ...PRIVATE,
  ...LOOPBACK,
  ...MULTICAST,
  ...LINK_LOCAL,
  ...DOCUMENTATION,
  ...CARRIER_GRADE,
  '0.0.0.0/8',
  '::/128',
]

const NETWORKS: readonly Entry[] = [
  ['_in_subnet:inet', onValue((v, o) => sql`${inet(v)} <<= ${inet(o)}`)],
  ['_in_range:inet', onValue((v, o) => sql`${inet(v)} BETWEEN (${o} ->> 'from')::inet AND (${o} ->> 'to')::inet`)],
  ['_is_ipv4:inet', test(({ value }) => sql`(family(${inet(value)}) = 4)`)],
  ['_is_ipv6:inet', test(({ value }) => sql`(family(${inet(value)}) = 6)`)],
  ['_is_private:inet', within(...PRIVATE)],
  ['_is_public:inet', test(({ value }) => sql`(NOT ${isWithin(value, NOT_PUBLIC)})`)],
  ['_is_loopback:inet', within(...LOOPBACK)],
  ['_is_multicast:inet', within(...MULTICAST)],
  ['_is_link_local:inet', within(...LINK_LOCAL)],
  ['_is_documentation:inet', within(...DOCUMENTATION)],
  ['_is_carrier_grade:inet', within(...CARRIER_GRADE)],
  ['_contains_subnet:inet', onValue((v, o) => sql`${inet(v)} >> ${inet(o)}`)],
  ['_contains_ip:inet', onValue((v, o) => sql`${inet(v)} >>= ${inet(o)}`)],
  ['_overlaps:inet', onValue((v, o) => sql`${inet(v)} && ${inet(o)}`)],
]

const days = (emit: Emit): EmitOperator => onValue((v, o) => emit(cast(v, 'daterange'), cast(o, 'daterange')))
const seconds = (v: SqlFragment): SqlFragment => sql`EXTRACT(EPOCH FROM ${cast(v, 'interval')})`
/** Compares a duration with an operand. @param unit in seconds */
const takes = (comparison: SqlFragment, unit: SqlFragment): EmitOperator =>
  onValue((v, o) => sql`${seconds(v)} ${comparison} ${o}::numeric * ${unit}`)
const [GT, GTE, LT, LTE] = [sql`>`, sql`>=`, sql`<`, sql`<=`]
const [SECOND, MINUTE, HOUR] = [sql`1`, sql`60`, sql`3600`]
const depth = (comparison: SqlFragment): EmitOperator => onValue((v, o) => sql`nlevel(${v}) ${comparison} ${o}`)

const EXTENTS: readonly Entry[] = [
  ['_ancestor_of:LTree', onValue((v, o) => sql`${v} @> ${o}`)],
  ['_descendant_of:LTree', onValue((v, o) => sql`${v} <@ ${o}`)],
  ['_ancestor_of_id:LTree', onValue((v, o) => sql`${v} @> ANY(ARRAY(${o}))`)],
  ['_descendant_of_id:LTree', onValue((v, o) => sql`${v} <@ ANY(ARRAY(${o}))`)],
  ['_matches_lquery:LTree', onValue((v, o) => sql`${v} ~ ${o}::lquery`)],
  ['_matches_any_lquery:LTree', onValue((v, o) => sql`${v} ? ${o}::lquery[]`)],
  ['_matches_ltxtquery:LTree', onValue((v, o) => sql`${v} @ ${o}::ltxtquery`)],
  ['_lca:LTree', onValue((v, o) => sql`${v} = lca(${o}::ltree[])`)],
  ['_depth_eq:LTree', depth(sql`=`)],
  ['_depth_neq:LTree', depth(sql`<>`)],
  ['_depth_gt:LTree', depth(GT)],
  ['_depth_gte:LTree', depth(GTE)],
  ['_depth_lt:LTree', depth(LT)],
  ['_depth_lte:LTree', depth(LTE)],
  ['_contains_date:DateRange', onValue((v, o) => sql`${cast(v, 'daterange')} @> ${o}::date`)],
  ['_contains_range:DateRange', days((v, o) => sql`${v} @> ${o}`)],
  ['_overlaps:DateRange', days((v, o) => sql`${v} && ${o}`)],
  ['_adjacent:DateRange', days((v, o) => sql`${v} -|- ${o}`)],
  ['_strictly_left:DateRange', days((v, o) => sql`${v} << ${o}`)],
  ['_strictly_right:DateRange', days((v, o) => sql`${v} >> ${o}`)],
  ['_not_left:DateRange', days((v, o) => sql`${v} &> ${o}`)],
  ['_not_right:DateRange', days((v, o) => sql`${v} &< ${o}`)],
  ['_within_range:Duration', onValue((v, o) => between(cast(v, 'interval'), o, 'interval'))],
  ['_hours_gte:Duration', takes(GTE, HOUR)],
  ['_hours_lte:Duration', takes(LTE, HOUR)],
  ['_minutes_gte:Duration', takes(GTE, MINUTE)],
  ['_minutes_lte:Duration', takes(LTE, MINUTE)],
  ['_total_seconds_gt:Duration', takes(GT, SECOND)],
  ['_total_seconds_gte:Duration', takes(GTE, SECOND)],
  ['_total_seconds_lt:Duration', takes(LT, SECOND)],
  ['_total_seconds_lte:Duration', takes(LTE, SECOND)],
  ['_total_minutes_gt:Duration', takes(GT, MINUTE)],
  ['_total_hours_gt:Duration', takes(GT, HOUR)],
]

/** SQL of the filter operators that exist for single scalars only, such as `_domain_eq` of `Email`, by operator id. */
export const SPECIAL: readonly Entry[] = [...CODES, ...NETWORKS, ...EXTENTS, ...VECTORS, ...PLACES]
