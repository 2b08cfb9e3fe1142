import { type EmitOperator, type OperatorId, onText, type SqlFragment } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'
import { scalarText } from './json.ts'
import { isIn, isNotIn } from './members.ts'

type Entry = readonly [OperatorId, EmitOperator]
type Part = (text: SqlFragment) => SqlFragment

const ESCAPE = sql`ESCAPE '\\'`
const domain: Part = (t) =>
  sql`CASE LOCATE('@', ${t}) WHEN 0 THEN '' ELSE LOWER(SUBSTRING_INDEX(SUBSTRING_INDEX(${t}, '@', 2), '@', -1)) END`
const local: Part = (t) => sql`SUBSTRING_INDEX(${t}, '@', 1)`
const protocol: Part = (t) => sql`LOWER(SUBSTRING_INDEX(${t}, '://', 1))`
/** The text behind `://`. */
const rest: Part = (t) => sql`SUBSTR(${t}, LOCATE('://', ${t}) + 3)`
const ofUrl = (t: SqlFragment, found: SqlFragment): SqlFragment =>
  sql`CASE WHEN ${t} REGEXP '^[^:]+://' THEN ${found} END`
const host: Part = (t) =>
  ofUrl(t, sql`LOWER(REGEXP_REPLACE(SUBSTRING_INDEX(REGEXP_SUBSTR(${rest(t)}, '^[^/?#]*'), '@', -1), ':[0-9]*$', ''))`)
const path: Part = (t) => ofUrl(t, sql`REGEXP_SUBSTR(REGEXP_REPLACE(${rest(t)}, '^[^/?#]*', ''), '^[^?#]*')`)
const lastLabel: Part = (t) => sql`LOWER(SUBSTRING_INDEX(${t}, '.', -1))`
const labels: Part = (t) => sql`(CHAR_LENGTH(${t}) - CHAR_LENGTH(REPLACE(${t}, '.', '')) + 1)`
const left2: Part = (t) => sql`LEFT(${t}, 2)`
const amount: Part = (t) => sql`NULLIF(REGEXP_SUBSTR(${t}, '^[+-]?[0-9]*[.]?[0-9]+'), '')`

const decimal: Part = (text) => sql`CAST(${text} AS DECIMAL(65,30))`
const double: Part = (text) => sql`CAST(${text} AS DOUBLE)`
const member = (object: SqlFragment, place: SqlFragment): SqlFragment =>
  scalarText(sql`JSON_EXTRACT(${object}, ${place})`)

/** Tests a range. A missing bound counts as true. */
function between(value: SqlFragment, range: SqlFragment): SqlFragment {
  const min = member(range, sql`'$.min'`)
  const max = member(range, sql`'$.max'`)
  return sql`CASE WHEN ${value} IS NOT NULL THEN COALESCE(${value} >= ${decimal(min)}, TRUE) AND COALESCE(${value} <= ${decimal(max)}, TRUE) END`
}

/** Distance along the great circle, on a sphere with a radius of 6371 km. */
function isNear(place: SqlFragment, circle: SqlFragment): SqlFragment {
  const [lat, lng] = [
    sql`RADIANS(${double(sql`SUBSTRING_INDEX(${place}, ',', 1)`)})`,
    sql`RADIANS(${double(sql`SUBSTRING_INDEX(${place}, ',', -1)`)})`,
  ]
  const latitude = sql`RADIANS(${double(member(circle, sql`'$.latitude'`))})`
  const longitude = sql`RADIANS(${double(member(circle, sql`'$.longitude'`))})`
  const chord = sql`POWER(SIN((${lat} - ${latitude}) / 2), 2) + COS(${latitude}) * COS(${lat}) * POWER(SIN((${lng} - ${longitude}) / 2), 2)`
  return sql`12742 * ASIN(LEAST(1, SQRT(${chord}))) <= ${double(member(circle, sql`'$.radiusKm'`))}`
}

const sign: Part = (text) =>
  sql`CASE WHEN ${text} IS NOT NULL THEN CASE WHEN ${double(text)} >= 0 THEN '1' ELSE '-1' END END`

/**
 * Filter operators for scalars with a meaning, such as Email. MariaDB and MySQL have no types for ranges and durations.
 * @param exactly writes a text with a collation that compares code points
 */
export function specialOperators(exactly: Part): readonly Entry[] {
  const keys = (list: SqlFragment): SqlFragment =>
    sql`(SELECT JSON_UNQUOTE(l$.j) FROM JSON_TABLE(${list}, '$[*]' COLUMNS (j JSON PATH '$')) l$)`
  const on = (emit: (text: SqlFragment, operand: SqlFragment) => SqlFragment): EmitOperator =>
    onText((t, o) => emit(exactly(t), o))
  const equal = (part: Part): EmitOperator => on((t, o) => sql`${part(t)} = ${o}`)
  const like = (part: Part): EmitOperator => on((t, o) => sql`${part(t)} LIKE ${o} ${ESCAPE}`)
  const test =
    (holds: Part): EmitOperator =>
    ({ text }, { yes }) =>
      yes ? holds(exactly(text)) : sql`NOT ${holds(exactly(text))}`
  const same: Part = (text) => text
  const pattern = on((t, o) => sql`${t} REGEXP ${o}`)
  return [
    ['_domain_eq:Email', equal(domain)],
    ['_domain_neq:Email', on((t, o) => sql`${domain(t)} <> ${o}`)],
    ['_domain_in:Email', on((t, o) => isIn(domain(t), keys(o)))],
    ['_domain_nin:Email', on((t, o) => isNotIn(domain(t), keys(o)))],
    ['_domain_endswith:Email', like(domain)],
    ['_local_part_startswith:Email', like(local)],
    ['_country_code_eq:PhoneNumber', like(same)],
    [
      '_country_code_in:PhoneNumber',
      on(
        (t, o) =>
          sql`CASE WHEN ${t} IS NOT NULL THEN EXISTS (SELECT 1 FROM JSON_TABLE(${o}, '$[*]' COLUMNS (j JSON PATH '$')) l$ WHERE ${t} LIKE JSON_UNQUOTE(l$.j) ${ESCAPE}) END`,
      ),
    ],
    ['_is_valid:PhoneNumber', test((t) => sql`(${t} REGEXP '^[+][1-9][0-9]{0,14}$')`)],
    ['_protocol_eq:URL', equal(protocol)],
    ['_host_eq:URL', equal(host)],
    ['_path_startswith:URL', like(path)],
    ['_tld_eq:DomainName', equal(lastLabel)],
    ['_tld_in:DomainName', on((t, o) => isIn(lastLabel(t), keys(o)))],
    ['_is_fqdn:Hostname', test((t) => sql`(LOCATE('.', ${t}) > 0)`)],
    ['_depth_eq:Hostname', equal(labels)],
    ['_country_eq:PostalCode', pattern],
    ['_within_range:Latitude', onText((t, o) => between(decimal(t), o))],
    ['_hemisphere_eq:Latitude', onText((t, o) => sql`${sign(t)} = ${o}`)],
    ['_hemisphere_eq:Longitude', onText((t, o) => sql`${sign(t)} = ${o}`)],
    ['_distance_within:Coordinates', on(isNear)],
    ['_country_eq:IBAN', equal(left2)],
    ['_check_digit_eq:IBAN', equal((t) => sql`SUBSTR(${t}, 3, 2)`)],
    ['_issuer_eq:CUSIP', equal((t) => sql`LEFT(${t}, 6)`)],
    ['_country_eq:ISIN', equal(left2)],
    ['_check_digit_eq:SEDOL', equal((t) => sql`RIGHT(${t}, 1)`)],
    ['_currency_eq:Money', equal((t) => sql`RIGHT(${t}, 3)`)],
    ['_amount_within_range:Money', on((t, o) => between(decimal(amount(t)), o))],
    ['_wmi_eq:VIN', equal((t) => sql`LEFT(${t}, 3)`)],
    ['_carrier_eq:TrackingNumber', pattern],
    ['_owner_code_eq:ContainerNumber', like(same)],
    ['_airline_code_eq:FlightNumber', equal(left2)],
    ['_format_eq:Color', pattern],
    ['_format_eq:Image', on((t, o) => sql`${t} REGEXP CONCAT('(?i)', ${o})`)],
  ]
}
