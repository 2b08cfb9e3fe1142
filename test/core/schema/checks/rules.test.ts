import t from 'tap'
import { eachDatabase } from '../../../helpers/databases.ts'
import { openApp } from '../../../helpers/open-app.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** Every validation rule (docs/guides/validate-input.md#the-rules), from the schema to the database: a violation writes nothing. */
t.setTimeout(180_000)

const SQL = `
CREATE TABLE tb_note (pk_note bigserial PRIMARY KEY, id uuid NOT NULL DEFAULT gen_random_uuid(), body jsonb NOT NULL);
CREATE VIEW v_note AS SELECT pk_note, id, body FROM tb_note;
CREATE FUNCTION fn_save(input jsonb) RETURNS jsonb LANGUAGE sql AS
  $$ INSERT INTO tb_note (body) VALUES (input) RETURNING jsonb_build_object('status', 'ok', 'entity', jsonb_build_object('id', id, 'body', body)) $$;
CREATE FUNCTION fn_save_plain(email text, phone text, age int) RETURNS jsonb LANGUAGE sql AS
  $$ INSERT INTO tb_note (body) VALUES (jsonb_build_object('email', email, 'phone', phone, 'age', age))
     RETURNING jsonb_build_object('status', 'ok', 'entity', jsonb_build_object('id', id, 'body', body)) $$;
`
const field = (name: string, type: string, validate: unknown) => ({ name, type, validate }) as never
const then = (...names: string[]) => ({ then_required: names })

const SCHEMA = tableSchema(
  { name: 'Note', sql_source: 'v_note', list: 'notes', fields: { id: 'ID!', body: 'JSON' } },
  {
    enums: [
      {
        name: 'Color',
        values: [
          { name: 'RED', value: 'r' },
          { name: 'BLUE', value: 'b' },
        ],
      },
    ],
    input_types: [
      {
        name: 'Line',
        fields: [
          field('sku', 'String', { pattern: '^[A-Z]{3}$' }),
          field('amount', 'Int', { range: { min: 1 } }),
          field('unit_price', 'Decimal', null),
          field('rest', 'Line', null),
        ],
        validate: { any_of: ['sku', 'amount'] },
      },
      {
        name: 'SaveNote',
        fields: [
          field('title', 'String', 'required'),
          field('slug', 'String', { pattern: { pattern: '^[a-z]+$', message: 'Small letters only' } }),
          field('code', 'String', { pattern: '\\d' }),
          field('short_text', 'String', { length: { min: 2, max: 4 } }),
          field('long_text', 'String', { min_length: 3 }),
          field('nick', 'String', { max_length: 3 }),
          field('top', 'Int', { maximum: 9 }),
          field('tags', '[String!]', { length: { max: 2 }, pattern: '^#' }),
          field('level', 'Int', { range: { min: 1, max: 5 } }),
          field('price', 'Decimal', { minimum: 0.01 }),
          field('big', 'BigInt', { type: 'range', value: { max: 9007199254740991 } }),
          field('state', 'String', { enum: ['open', 'closed'] }),
          field('color', 'Color', { enum: ['RED'] }),
          field('card', 'String', { checksum: 'luhn' }),
          field('iban', 'String', { type: 'checksum', value: { algorithm: 'mod97' } }),
          field('starts', 'Date', null),
          field('ends', 'Date', { cross_field: { field: 'starts', operator: 'gt' } }),
          field('since', 'DateTime', { cross_field: { field: 'until', operator: 'eq' } }),
          field('until', 'DateTime', { cross_field: { field: 'ends', operator: 'lte' } }),
          field('opens', 'Time', { cross_field: { field: 'closes', operator: 'lt' } }),
          field('closes', 'Time', null),
          field('noon', 'Time', { cross_field: { field: 'closes', operator: 'eq' } }),
          field('least', 'Decimal', { cross_field: { field: 'most', operator: 'lte' } }),
          field('most', 'Decimal', null),
          field('count', 'Int', { cross_field: { field: 'most', operator: 'eq' } }),
          field('serial', 'BigInt', { cross_field: { field: 'most', operator: 'lt' } }),
          field('country', 'String', null),
          field('zip', 'String', {
            conditional: { condition: "country == 'US'", then_rules: ['required', { pattern: '^\\d{5}$' }] },
          }),
          field('password', 'String', { all: [{ min_length: 8 }, { pattern: '[A-Z]' }, { pattern: '\\d' }] }),
          field('contact', 'String', { any: [{ pattern: '@' }, { pattern: '^\\+', length: { min: 8 } }] }),
          field('email', 'String', null),
          field('phone', 'String', null),
          field('street', 'String', null),
          field('city', 'String', null),
          field('mode', 'String', null),
          field('doubt', 'Int', null),
          field('lines', '[Line!]', null),
          field('deposit', 'Decimal', { conditional: { condition: 'value > 100', then_rules: { maximum: 150 } } }),
          field('first', 'Line', null),
          field('unit', 'String', {
            conditional: { condition: 'first.unit_price >= 10 or first.rest.unitPrice >= 10', then_rules: 'required' },
          }),
          field('rates', '[Decimal!]', null),
          field('rate', 'String', { conditional: { condition: '5 in rates', then_rules: 'required' } }),
          field('reason', 'String', { conditional: { condition: 'doubt / 0 > 1', then_rules: 'required' } }),
        ],
        validate: [
          { type: 'one_of', value: { fields: ['email', 'phone'] } },
          { conditional_required: { if_field_present: 'street', ...then('city', 'zip') } },
          { type: 'required_if_absent', value: { absent_field: 'country', ...then('mode') } },
          { conditional: { condition: "mode == 'strict'", then_rules: [{ any_of: ['shortText', 'long_text'] }] } },
        ],
      },
    ],
    mutations: [
      {
        name: 'save',
        type: 'Note',
        sql_source: 'fn_save',
        input_style: 'jsonb',
        arguments: [{ name: 'input', type: 'SaveNote!' }],
      },
      {
        name: 'save_plain',
        type: 'Note',
        sql_source: 'fn_save_plain',
        arguments: [
          { name: 'email', type: 'String', validate: { pattern: '@' } },
          { name: 'phone', type: 'String' },
          { name: 'age', type: 'Int', default: 17, validate: { minimum: 18 } },
        ],
        validate: { any_of: ['email', 'phone'] },
      },
    ],
  },
)

/** Passes every rule. */
const GOOD = { title: 'T', email: 'a@b', mode: 'm' }

type Case = readonly [what: string, input: object, errors: readonly (readonly [field: string, message: string])[]]
const CASES: readonly Case[] = [
  // proves: rule.required
  ['required, absent', { title: undefined }, [['input.title', 'Field is required']]],
  ['required, null', { title: null }, [['input.title', 'Field is required']]],
  ['required, empty is there', { title: '' }, []],
  // proves: rule.pattern rule.message
  ['pattern', { slug: 'A' }, [['input.slug', 'Small letters only']]],
  ['pattern, its own text; anywhere', { code: 'x' }, [['input.code', 'Must match pattern']]],
  ['pattern, found within', { code: 'x1y', slug: 'abc' }, []],
  // proves: rule.length
  ['length', { shortText: 'a' }, [['input.shortText', 'Length between 2 and 4']]],
  ['length in code points', { shortText: '😀😀😀😀' }, []],
  // proves: rule.min_length
  ['length, one end', { longText: 'ab' }, [['input.longText', 'Length at least 3']]],
  // proves: rule.max_length
  ['length, the other end', { nick: 'abcd' }, [['input.nick', 'Length at most 3']]],
  // proves: rule.maximum
  ['range, the other end', { top: 10 }, [['input.top', 'Value at most 9']]],
  ['length of a list', { tags: ['#a', '#b', '#c'] }, [['input.tags', 'Length at most 2']]],
  ['pattern of items', { tags: ['#a', 'b'] }, [['input.tags[1]', 'Must match pattern']]],
  // proves: rule.range rule.type rule.value
  ['range', { level: 6 }, [['input.level', 'Value between 1 and 5']]],
  ['range, its ends belong to it', { level: 5 }, []],
  // proves: rule.minimum
  ['range of a Decimal', { price: '0.0099999999999999999999' }, [['input.price', 'Value at least 0.01']]],
  ['range of a Decimal, exact', { price: '0.0100' }, []],
  ['range of a BigInt', { big: '9007199254740992' }, [['input.big', 'Value at most 9007199254740991']]],
  // proves: rule.enum
  ['enum', { state: 'Open' }, [['input.state', 'Must be one of: open, closed']]],
  ['enum of an enum', { color: 'BLUE' }, [['input.color', 'Must be one of: RED']]],
  // proves: rule.checksum
  ['luhn', { card: '4539 1488 0343 6468' }, [['input.card', 'Invalid luhn']]],
  ['luhn, with spaces and dashes', { card: '4539 1488-0343 6467' }, []],
  // proves: rule.checksum
  ['mod97', { iban: 'DE89370400440532013001' }, [['input.iban', 'Invalid mod97']]],
  ['mod97, good', { iban: 'DE89 3704 0044 0532 0130 00' }, []],
  // proves: rule.cross_field
  ['cross_field', { starts: '2026-02-01', ends: '2026-02-01' }, [['input.ends', 'Must be gt starts']]],
  ['cross_field, good', { starts: '2026-02-01', ends: '2026-02-02' }, []],
  ['cross_field, only one is there', { ends: '2026-02-02' }, []],
  ['cross_field of numbers in texts', { least: '10', most: '9' }, [['input.least', 'Must be lte most']]],
  ['cross_field of numbers, good', { least: '9', most: '10.0' }, []],
  ['cross_field of numbers of two types', { count: 5, most: '5.00', serial: '4' }, []],
  [
    'cross_field of numbers that no double tells apart',
    { serial: '9007199254740993', most: '9007199254740992.5' },
    [['input.serial', 'Must be lt most']],
  ],
  [
    'cross_field of times, whatever their zone',
    { since: '2024-01-01T00:00:00+02:00', until: '2023-12-31T22:00:00Z' },
    [],
  ],
  [
    'cross_field of times, whatever their digits',
    { since: '2024-01-01T00:00:00.1Z', until: '2024-01-01T00:00:00.100Z' },
    [],
  ],
  [
    'cross_field of a time and a day, which is its first instant',
    { until: '2024-01-02T00:00:00.000001Z', ends: '2024-01-02' },
    [['input.until', 'Must be lte ends']],
  ],
  ['cross_field of a time and a day, good', { until: '2024-01-02T02:00:00+02:00', ends: '2024-01-02' }, []],
  ['cross_field of times of day', { opens: '09:30:00.0', closes: '09:30' }, [['input.opens', 'Must be lt closes']]],
  ['cross_field of times of day, good', { opens: '09:59:59.9', closes: '10:00', noon: '10:00:00.000' }, []],
  // proves: rule.conditional
  ['conditional, required', { country: 'US' }, [['input.zip', 'Field is required']]],
  ['conditional, pattern', { country: 'US', zip: '1' }, [['input.zip', 'Must match pattern']]],
  ['conditional of a Decimal', { deposit: '150.01' }, [['input.deposit', 'Value at most 150']]],
  ['conditional of a Decimal, not asked', { deposit: '99.5' }, []],
  [
    'conditional of a field within',
    { first: { unitPrice: '10.0', sku: 'ABC' } },
    [['input.unit', 'Field is required']],
  ],
  [
    'conditional of a field further within',
    { first: { sku: 'ABC', rest: { sku: 'ABC', unitPrice: '11' } } },
    [['input.unit', 'Field is required']],
  ],
  ['conditional of a field within, not asked', { first: { unitPrice: '9.99', sku: 'ABC' } }, []],
  ['conditional of a list of Decimals', { rates: ['1', '5.00'] }, [['input.rate', 'Field is required']]],
  ['conditional, not asked', { country: 'FR', zip: '1' }, []],
  // proves: rules.nested
  [
    'conditional of the input',
    { mode: 'strict' },
    [['input', 'At least one of [shortText, long_text] must be provided']],
  ],
  ['conditional of the input, good', { mode: 'strict', longText: 'abc' }, []],
  // proves: rule.one_of input.validate
  ['one_of, both', { phone: '1' }, [['input', 'Exactly one of [email, phone] must be provided, but 2 were provided']]],
  ['one_of, none', { email: null }, [['input', 'Exactly one of [email, phone] must be provided, but 0 were provided']]],
  // proves: rule.conditional_required
  [
    'conditional_required',
    { street: 's' },
    [['input', "Since 'street' is provided, 'city', 'zip' must also be provided"]],
  ],
  [
    'conditional_required, one of them',
    { street: 's', zip: 'z' },
    [['input', "Since 'street' is provided, 'city' must also be provided"]],
  ],
  ['conditional_required, good', { street: 's', city: 'c', zip: 'z' }, []],
  // proves: rule.required_if_absent
  ['required_if_absent', { mode: undefined }, [['input', "Since 'country' is not provided, 'mode' must be provided"]]],
  ['required_if_absent, good', { mode: undefined, country: 'FR' }, []],
  // proves: rule.all
  [
    'all: each that fails',
    { password: 'x' },
    [
      ['input.password', 'Length at least 8'],
      ['input.password', 'Must match pattern'],
      ['input.password', 'Must match pattern'],
    ],
  ],
  ['all, good', { password: 'Passw0rdx' }, []],
  // proves: rule.any
  ['any', { contact: 'x' }, [['input.contact', 'At least one rule must pass']]],
  ['any, a member of two rules', { contact: '+1' }, [['input.contact', 'At least one rule must pass']]],
  ['any, good', { contact: '+12345678' }, []],
  // proves: rules.nested input_field.validate
  [
    'an input in a list',
    { lines: [{ sku: 'ABC' }, { sku: 'abc', amount: 0 }] },
    [
      ['input.lines[1].sku', 'Must match pattern'],
      ['input.lines[1].amount', 'Value at least 1'],
    ],
  ],
  [
    'the rules of an input in a list',
    { lines: [{}, { amount: 1 }] },
    [['input.lines[0]', 'At least one of [sku, amount] must be provided']],
  ],
  [
    'a condition that cannot be decided denies',
    { doubt: 1 },
    [['input.reason', 'A condition cannot be decided with these values']],
  ],
  // proves: rules.phases
  [
    'all errors of the first phase that has any, in the order of the schema',
    { title: null, slug: 'A', level: 9, starts: '2026-02-01', ends: '2026-01-01', phone: '1', password: 'x' },
    [
      ['input.title', 'Field is required'],
      ['input.slug', 'Small letters only'],
      ['input.level', 'Value between 1 and 5'],
    ],
  ],
  [
    'the second phase',
    { starts: '2026-02-01', ends: '2026-01-01', country: 'US', phone: '1', password: 'x' },
    [
      ['input.ends', 'Must be gt starts'],
      ['input.zip', 'Field is required'],
    ],
  ],
  [
    'the third phase',
    { phone: '1', password: 'x' },
    [['input', 'Exactly one of [email, phone] must be provided, but 2 were provided']],
  ],
]

await eachDatabase(
  t,
  async (t, database) => {
    const app = await openApp(t, database, SCHEMA)
    const count = async () =>
      (await app.database.query({ name: null, text: 'SELECT count(*)::text FROM tb_note' }, [], null)).rows[0]?.[0]
    const SAVE = 'mutation($input: SaveNote!) { save(input: $input) { id } }'

    for (const [what, input, errors] of CASES) {
      await t.test(what, async (t) => {
        const before = await count()
        const answer = await app.graphql(SAVE, { input: { ...GOOD, ...input } })
        t.strictSame(
          (answer.errors ?? []).map(({ message, extensions }) => [extensions.path, message]),
          errors,
        )
        t.equal(answer.data === undefined, errors.length > 0, 'it has an answer, or was not run')
        t.equal(Number(await count()) - Number(before), errors.length > 0 ? 0 : 1)
      })
    }

    // proves: rules.shape
    await t.test('the shape of an error', async (t) => {
      const { status, errors } = await app.graphql(`mutation($input: SaveNote!) { mine: save(input: $input) { id } }`, {
        input: { ...GOOD, lines: [{ sku: 'x' }] },
      })
      t.equal(status, 200)
      t.strictSame(errors, [
        {
          message: 'Must match pattern',
          locations: [{ line: 1, column: 31 }],
          path: ['mine', 'input', 'lines', 0, 'sku'],
          extensions: {
            path: 'input.lines[0].sku',
            context: { rule: 'pattern', pattern: '^[A-Z]{3}$' },
            code: 'VALIDATION_ERROR',
            statusCode: 400,
          },
        },
      ])
    })

    await t.test('literals and variables inside of literals are held to them too', async (t) => {
      const { errors } = await app.graphql(
        'mutation($level: Int) { save(input: { title: "", slug: "A", level: $level }) { id } }',
        { level: 9 },
      )
      t.strictSame(
        errors?.map(({ extensions }) => extensions.path),
        ['input.slug', 'input.level'],
      )
    })

    // proves: argument.validate argument.default mutation.validate rule.any_of
    await t.test('plain arguments, their defaults, and rules over them', async (t) => {
      const run = async (args: string) =>
        (await app.graphql(`mutation { savePlain(${args}) { id } }`)).errors?.map(({ path, message, extensions }) => [
          path,
          extensions.path,
          message,
        ])
      t.strictSame(await run('email: "x", age: 18'), [[['savePlain', 'email'], 'email', 'Must match pattern']])
      t.strictSame(await run('phone: "1"'), [[['savePlain', 'age'], 'age', 'Value at least 18']])
      t.strictSame(await run('age: 18'), [
        [['savePlain'], 'savePlain', 'At least one of [email, phone] must be provided'],
      ])
      t.equal(await run('phone: "1", age: 18'), undefined)
    })

    // proves: rules.before-sql
    await t.test('one root that breaks a rule: no root is run', async (t) => {
      const before = await count()
      const { errors, data } = await app.graphql(
        'mutation { a: savePlain(email: "a@b", age: 18) { id } b: savePlain(email: "x", age: 1) { id } }',
      )
      t.strictSame(
        errors?.map(({ path }) => path),
        [
          ['b', 'email'],
          ['b', 'age'],
        ],
      )
      t.equal(data, undefined)
      t.equal(await count(), before)
    })

    await t.test('a thousand errors are a hundred', async (t) => {
      const lines = Array.from({ length: 1000 }, () => ({ sku: 'x' }))
      const { errors } = await app.graphql(SAVE, { input: { ...GOOD, lines } })
      t.equal(errors?.length, 100)
    })
  },
  { sql: SQL },
)
