import type { AuthoredSchema } from '../../core/doors/command.ts'

/** A field of a semantic scalar with the values of its column, row by row, and what its special operators find in them. */
export interface SpecialField {
  readonly field: string
  readonly scalar: string
  /** Type of the column on PostgreSQL. */
  readonly column: string
  /** The rows are one; each is named by its id. */
  readonly hierarchy?: string
  readonly values: readonly (string | number)[]
  /** Operator, operand, rows that it finds (from 1), the operand that it refuses. */
  readonly cases: readonly (readonly [name: string, operand: unknown, rows: readonly number[], refused?: unknown])[]
}

const MAILS = ['ann@Example.org', 'bob@mail.example.com', 'ab_@x.org', 'abc@sub.example.org']
const PLACES = ['52.5200,13.4050', '48.1372,11.5756', '-33.8688,151.2093']
const ADDRESSES = [
  '10.1.2.3',
  '8.8.8.8',
  '127.0.0.1',
  '224.0.0.1',
  '169.254.1.1',
  '192.0.2.7',
  '100.64.0.9',
  '2001:4860::8',
  'fd00::1',
]
const RANGES = ['[2026-01-01,2026-02-01)', '[2026-02-01,2026-03-01)', '[2026-06-01,2026-07-01)', '(,2026-01-15)']
const TIMES = ['PT1H30M', 'PT45S', 'P1D', '02:00:00']
const address = (name: string, yes: readonly number[]): SpecialField['cases'] => [
  [name, true, yes],
  [name, false, ADDRESSES.map((_, i) => i + 1).filter((row) => !yes.includes(row))],
]
const inet = (field: string, scalar: string, column: string): SpecialField => ({
  field,
  scalar,
  column,
  values: ADDRESSES,
  cases: [
    ['_in_subnet', '10.0.0.0/8', [1], '10.0.0.1/8'],
    ['_in_subnet', '8.8.8.8', [2], 'somewhere'],
    ['_in_range', { from: '10.0.0.0', to: '10.255.255.255' }, [1], { from: '10.0.0.0' }],
    ...address('_is_ipv4', [1, 2, 3, 4, 5, 6, 7]),
    ...address('_is_ipv6', [8, 9]),
    ...address('_is_private', [1, 9]),
    ...address('_is_public', [2, 8]),
    ...address('_is_loopback', [3]),
    ...address('_is_multicast', [4]),
    ...address('_is_link_local', [5]),
    ...address('_is_documentation', [6]),
    ...address('_is_carrier_grade', [7]),
  ],
})
const number = (
  field: string,
  scalar: string,
  values: readonly (string | number)[],
  extra: SpecialField['cases'] = [],
): SpecialField => ({
  field,
  scalar,
  column: 'numeric',
  values,
  cases: [
    ['_within_range', { min: '0', max: '12.5' }, [1], {}],
    ['_within_range', { min: 12.6 }, [3]],
    ['_within_range', { max: '12.5', min: null }, [1, 2]],
    ...extra,
  ],
})
const range = (field: string, column: string): SpecialField => ({
  field,
  scalar: 'DateRange',
  column,
  values: RANGES,
  cases: [
    ['_contains_date', '2026-01-10', [1, 4], '2026-02-30'],
    ['_contains_range', '[2026-02-03,2026-02-05)', [2], '[2026-02-05,2026-02-03)'],
    ['_overlaps', '[2026-01-20,2026-02-03)', [1, 2]],
    ['_adjacent', { start: '2026-03-01', end: '2026-05-31' }, [2, 3]],
    ['_strictly_left', '[2026-02-15,2026-03-01)', [1, 4]],
    ['_strictly_right', '[2026-02-15,2026-03-01)', [3]],
    ['_not_left', '[2026-02-01,2026-03-01)', [2, 3]],
    ['_not_right', '[2026-01-01,2026-02-01)', [1, 4]],
  ],
})
const duration = (field: string, column: string): SpecialField => ({
  field,
  scalar: 'Duration',
  column,
  values: TIMES,
  cases: [
    ['_within_range', { min: 'PT1M', max: '02:00:00' }, [1, 4], { min: 'soon' }],
    ['_hours_gte', 2, [3, 4]],
    ['_hours_lte', 1, [2]],
    ['_minutes_gte', 90, [1, 3, 4]],
    ['_minutes_lte', 90, [1, 2]],
    ['_total_seconds_gt', 45, [1, 3, 4]],
    ['_total_seconds_gte', 45, [1, 2, 3, 4]],
    ['_total_seconds_lt', 45, []],
    ['_total_seconds_lt', 46, [2]],
    ['_total_seconds_lte', 45, [2]],
    ['_total_minutes_gt', 120, [3]],
    ['_total_hours_gt', 1, [1, 3, 4]],
  ],
})
const text = (scalar: string, values: readonly string[], cases: SpecialField['cases']): SpecialField => ({
  field: scalar.replace(/[A-Z]+/g, (upper) => `_${upper.toLowerCase()}`).slice(1),
  scalar,
  column: 'text',
  values,
  cases,
})

export const SPECIAL_FIELDS: readonly SpecialField[] = [
  text('Email', MAILS, [
    ['_domain_eq', 'EXAMPLE.org', [1], 'a b'],
    ['_domain_neq', 'example.org', [2, 3, 4]],
    ['_domain_in', ['example.org', 'X.org'], [1, 3], ['a b']],
    ['_domain_nin', ['example.org', 'x.org'], [2, 4]],
    ['_domain_endswith', '.example.org', [4], 'example.org'],
    ['_local_part_startswith', 'ab_', [3], ''],
  ]),
  text(
    'PhoneNumber',
    ['+4930123', '+14155550100', 'nobody', '+43123'],
    [
      ['_country_code_eq', '49', [1], '0049'],
      ['_country_code_eq', '+1', [2]],
      ['_country_code_in', ['43', '+49'], [1, 4], ['x']],
      ['_is_valid', true, [1, 2, 4]],
      ['_is_valid', false, [3]],
    ],
  ),
  text(
    'URL',
    [
      'https://Example.org/a/b?x=1',
      'http://me:pw@example.org:8080/a',
      'ftp://files.example.org',
      'https://[2001:db8::1]:1/',
    ],
    [
      ['_protocol_eq', 'https', [1, 4], 'gopher'],
      ['_host_eq', 'example.ORG', [1, 2], 'a/b'],
      ['_host_eq', '[2001:db8::1]', [4]],
      ['_path_startswith', '/a', [1, 2], 'a'],
      ['_path_startswith', '/a/', [1]],
    ],
  ),
  text(
    'DomainName',
    ['example.ORG', 'a.example.com', 'b.de'],
    [
      ['_tld_eq', 'org', [1], '.org'],
      ['_tld_in', ['Com', 'de'], [2, 3], ['a b']],
    ],
  ),
  text(
    'Hostname',
    ['localhost', 'web.example.org', 'a.b'],
    [
      ['_is_fqdn', true, [2, 3]],
      ['_is_fqdn', false, [1]],
      ['_depth_eq', 3, [2]],
    ],
  ),
  text(
    'PostalCode',
    ['10115', 'SW1A 1AA', '1012 AB', '1010'],
    [
      ['_country_eq', 'DE', [1], 'XX'],
      ['_country_eq', 'GB', [2]],
      ['_country_eq', 'NL', [3]],
    ],
  ),
  number(
    'latitude',
    'Latitude',
    [12.5, -12, 60],
    [
      ['_hemisphere_eq', 'North', [1, 3], 'East'],
      ['_hemisphere_eq', 'South', [2]],
    ],
  ),
  number(
    'longitude',
    'Longitude',
    [12.5, -12, 60],
    [
      ['_hemisphere_eq', 'East', [1, 3], 'up'],
      ['_hemisphere_eq', 'West', [2]],
    ],
  ),
  number('exchange_rate', 'ExchangeRate', ['12.5', '-1', '60']),
  number('percentage', 'Percentage', [12.5, -1, 60]),
  text('Coordinates', PLACES, [
    [
      '_distance_within',
      { latitude: 52.52, longitude: 13.405, radiusKm: 10 },
      [1],
      { latitude: 91, longitude: 0, radiusKm: 1 },
    ],
    [
      '_distance_within',
      { latitude: 52.52, longitude: 13.405, radiusKm: 505 },
      [1, 2],
      { latitude: 1, longitude: 0, radiusKm: -1 },
    ],
    ['_distance_within', { latitude: 52.52, longitude: 13.405, radiusKm: 503 }, [1]],
    ['_distance_within', { latitude: 52.52, longitude: 13.405, radiusKm: 30000 }, [1, 2, 3]],
  ]),
  text(
    'IBAN',
    ['DE89370400440532013000', 'GB29NWBK60161331926819'],
    [
      ['_country_eq', 'DE', [1], 'de'],
      ['_check_digit_eq', '29', [2], '2'],
    ],
  ),
  text('CUSIP', ['037833100', '38259P508'], [['_issuer_eq', '037833', [1], '03']]),
  text('ISIN', ['US0378331005', 'DE0007164600'], [['_country_eq', 'DE', [2], 'DEU']]),
  text('SEDOL', ['0263494', 'B0YBKJ7'], [['_check_digit_eq', '7', [2], '77']]),
  text(
    'Money',
    ['12.50 EUR', '-3 USD', '.5 EUR', '100.00 EUR'],
    [
      ['_currency_eq', 'EUR', [1, 3, 4], 'EURO'],
      ['_amount_within_range', { min: '0.5', max: 12.5 }, [1, 3], { min: 'a' }],
      ['_amount_within_range', { max: '0' }, [2]],
    ],
  ),
  text('VIN', ['1HGCM82633A004352', 'WVWZZZ1JZ3W386752'], [['_wmi_eq', 'WVW', [2], 'WOW']]),
  text(
    'TrackingNumber',
    ['1Z999AA10123456784', '123456789012', '1234567890', '9400111899223197428490', 'ABCDEFGH'],
    [
      ['_carrier_eq', 'UPS', [1], 'ups'],
      ['_carrier_eq', 'FedEx', [2]],
      ['_carrier_eq', 'DHL', [3]],
      ['_carrier_eq', 'USPS', [4]],
      ['_carrier_eq', 'Other', [5]],
    ],
  ),
  text(
    'ContainerNumber',
    ['CSQU3054383', 'MSKU1234565'],
    [
      ['_owner_code_eq', 'CSQ', [1], 'C_Q'],
      ['_owner_code_eq', 'MSKU', [2]],
    ],
  ),
  text('FlightNumber', ['LH400', 'U21234'], [['_airline_code_eq', 'U2', [2], 'U']]),
  text(
    'Color',
    ['#fff', '#1e90ff', '#1e90ff80'],
    [
      ['_format_eq', 'RGB', [1], 'rgb'],
      ['_format_eq', 'RRGGBB', [2]],
      ['_format_eq', 'RRGGBBAA', [3]],
    ],
  ),
  text(
    'Image',
    ['https://example.org/a.PNG?x=1', '/b.jpeg', 'data:image/png;base64,AAAA', '/png/c.gif'],
    [
      ['_format_eq', 'png', [1, 3], '.png'],
      ['_format_eq', 'jpg', [2]],
    ],
  ),
]

/** What only PostgreSQL has. */
export const POSTGRES_FIELDS: readonly SpecialField[] = [
  inet('address', 'IPAddress', 'inet'),
  inet('address_text', 'IPAddress', 'text'),
  {
    field: 'network',
    scalar: 'CIDR',
    column: 'cidr',
    values: ['10.0.0.0/8', '10.1.0.0/16', '2001:db8::/32'],
    cases: [
      ['_in_subnet', '10.0.0.0/8', [1, 2]],
      ['_contains_subnet', '10.1.0.0/16', [1], '10.1.0.1/16'],
      ['_contains_ip', '10.1.2.3', [1, 2], '10.1'],
      ['_overlaps', '2001:db8:1::/48', [3]],
    ],
  },
  range('days', 'daterange'),
  range('days_text', 'text'),
  duration('took', 'interval'),
  duration('took_text', 'text'),
]

const TREE = ['top', 'top.science', 'top.science.astronomy', 'top.hobbies']

/** What the extension ltree has. */
export const LTREE_FIELD: SpecialField = {
  field: 'path',
  scalar: 'LTree',
  column: 'ltree',
  hierarchy: 'rows',
  values: TREE,
  cases: [
    ['_ancestor_of_id', '2', [1, 2]],
    ['_descendant_of_id', '2', [2, 3]],
    ['_ancestor_of', 'top.science', [1, 2], 'top..science'],
    ['_descendant_of', 'top.science', [2, 3]],
    ['_matches_lquery', 'top.*{1}', [2, 4], 'top.{'],
    ['_matches_any_lquery', ['*.astro*', 'top.hob*'], [3, 4], ['a b']],
    ['_matches_ltxtquery', 'science & !astro*', [2], '& a'],
    ['_lca', ['top.science.astronomy.stars', 'top.science.astronomy.cosmos'], [3]],
    ['_depth_eq', 2, [2, 4]],
    ['_depth_neq', 2, [1, 3]],
    ['_depth_gt', 2, [3]],
    ['_depth_gte', 2, [2, 3, 4]],
    ['_depth_lt', 2, [1]],
    ['_depth_lte', 2, [1, 2, 4]],
  ],
}

const numbers = (scalar: string, column: string): SpecialField => ({
  field: column,
  scalar,
  column: `${column}(3)`,
  values: ['[1,0,0]', '[0,1,0]', '[2,0,0.5]'],
  cases: [
    ['_cosine_distance', { vector: [1, 0, 0], threshold: 0.5 }, [1, 3], { vector: [1, 0], threshold: 0.5 }],
    ['_l2_distance', { vector: [1, 0, 0], threshold: 1.2 }, [1, 3], { vector: [1, 'x', 0], threshold: 1 }],
    ['_l1_distance', { vector: [1, 0, 0], threshold: 1.5 }, [1], { vector: [1, 0, 0] }],
    ['_inner_product', { vector: [1, 0, 0], threshold: -1.5 }, [3], { vector: [], threshold: 1 }],
  ],
})

/** What the extension vector has. */
export const VECTOR_FIELDS: readonly SpecialField[] = [
  numbers('Vector', 'vector'),
  numbers('HalfVector', 'halfvec'),
  {
    field: 'sparse',
    scalar: 'SparseVector',
    column: 'sparsevec(3)',
    values: ['{1:1}/3', '{2:1}/3', '{1:2,3:0.5}/3'],
    cases: [
      ['_cosine_distance', { vector: '{1:1}/3', threshold: 0.5 }, [1, 3], { vector: '{1:1}/4', threshold: 1 }],
      ['_l2_distance', { vector: '{1:1}/3', threshold: 1.2 }, [1, 3], { vector: '{3:1,1:1}/3', threshold: 1 }],
      ['_l1_distance', { vector: '{1:1}/3', threshold: 1.5 }, [1], { vector: '{4:1}/3', threshold: 1 }],
      ['_inner_product', { vector: '{1:1}/3', threshold: -1.5 }, [3]],
    ],
  },
  {
    field: 'bits',
    scalar: 'BitVector',
    column: 'bit(4)',
    values: ['1010', '0000', '1110'],
    cases: [
      ['_hamming_distance', { vector: '1010', threshold: 2 }, [1, 3], { vector: '101', threshold: 2 }],
      ['_jaccard_distance', { vector: '1010', threshold: 0.5 }, [1, 3], { vector: '1012', threshold: 2 }],
    ],
  },
]

const ROWS = 9
const quoted = (value: string | number | undefined): string =>
  value === undefined ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`

/** One row per value, and one that holds nothing but nulls. @param sqlite with its own names of types */
export function specialSql(fields: readonly SpecialField[], numeric = 'numeric'): string {
  const typeOf = (column: string): string => (column === 'numeric' ? numeric : column)
  const columns = fields.map(({ field, column }) => `, ${field} ${typeOf(column)}`).join('')
  const rows = Array.from(
    { length: ROWS + 1 },
    (_, i) => `(${i + 1}${fields.map(({ values }) => `, ${quoted(values[i])}`).join('')})`,
  )
  return `CREATE TABLE tb_special (id integer PRIMARY KEY${columns}); INSERT INTO tb_special VALUES ${rows.join(', ')};`
}

export function specialSchema(fields: readonly SpecialField[]): AuthoredSchema {
  return {
    version: '1',
    types: [
      {
        name: 'Row',
        sql_source: 'tb_special',
        fields: [
          { name: 'id', type: 'ID!' },
          ...fields.map(({ field, scalar, hierarchy }) => ({
            name: field,
            type: scalar,
            ...(hierarchy === undefined ? {} : { hierarchy }),
          })),
        ],
      },
    ],
    queries: [{ name: 'rows', type: '[Row!]!' }],
    hierarchies: fields.flatMap(({ field, hierarchy }) =>
      hierarchy === undefined ? [] : [{ name: hierarchy, type: 'Row', path: field }],
    ),
  }
}
