import t from 'tap'
import { ExactNumber } from '../../../core/base/util/exact-number.ts'
import { compileSchema } from '../../../core/compiler/compile.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'
import type { Rule } from '../../../core/schema/rules.ts'
import { OWNED_KEYS } from '../../helpers/owned-keys.ts'
import { tableSchema } from '../../schemas/table-schema.ts'

const text = (name: string, type = 'String') => ({ name, type })
const FIELDS = [
  text('email'),
  text('phone'),
  text('age', 'Int'),
  text('price', 'Decimal'),
  text('starts', 'Date'),
  text('ends', 'DateTime'),
  text('opens', 'Time'),
  text('span', 'Duration'),
  text('least_span', 'Duration'),
  text('tags', '[String!]'),
  text('extra', 'JSON'),
  text('on', 'Boolean'),
  text('color', 'Color'),
  text('postal_code'),
]

/** A condition about the fields of an input that holds another. */
function onCreate(condition: string): AuthoredSchema {
  const rule = { create: { conditional: { condition, then_rules: { any_of: ['email'] } } } }
  const of = schema()
  return {
    ...of,
    input_types: of.input_types!.map((one) => (one.name === 'Create' ? { ...one, validate: rule.create } : one)),
  } as AuthoredSchema
}

function schema(input: object = {}, mutation: object = {}): AuthoredSchema {
  return tableSchema(
    { name: 'User', fields: { id: 'ID!', nick_name: 'String' } },
    {
      enums: [{ name: 'Color', values: [{ name: 'RED' }] }],
      input_types: [
        { name: 'CreateUser', fields: FIELDS, ...input },
        {
          name: 'Create',
          fields: [
            { name: 'user_email', type: 'String' },
            { name: 'email', type: 'String' },
            { name: 'user', type: 'CreateUser' },
            { name: 'users', type: '[CreateUser!]' },
          ],
        },
      ],
      queries: [{ name: 'user', type: 'User', sql_source: 'v_user', arguments: [{ name: 'email', type: 'String' }] }],
      mutations: [
        { name: 'create_user', type: 'User', arguments: [{ name: 'input', type: 'CreateUser' }] },
        {
          name: 'rename_user',
          type: 'User',
          arguments: [
            { name: 'nick', type: 'String' },
            { name: 'age', type: 'Int' },
          ],
          ...mutation,
        },
      ],
      author_functions: [{ kind: 'validator', name: 'isFree', module: './schema.ts', export: 'isFree' }],
    },
  )
}

const PLACE = { file: '/p/svc.toml', line: 7, column: 1 }

function compile(authored: AuthoredSchema, entries: Record<string, unknown> = {}) {
  return compileSchema(authored, { owned: OWNED_KEYS, catalog: null, validation: { entries, placeOf: () => PLACE } })
}

const onEmail = (validate: unknown) =>
  schema({ fields: FIELDS.map((field) => (field.name === 'email' ? { ...field, validate } : field)) })
const on = (name: string, validate: unknown) =>
  schema({ fields: FIELDS.map((field) => (field.name === name ? { ...field, validate } : field)) })

/** Where rules ended: `CreateUser.email` → its rules. */
function rulesIn(authored: AuthoredSchema, entries: Record<string, unknown> = {}): Record<string, readonly Rule[]> {
  const { compiled, faults } = compile(authored, entries)
  if (compiled === null) throw new Error(faults.map(({ message }) => message).join('\n'))
  const found: Record<string, readonly Rule[]> = {}
  for (const { name, rules, fields } of compiled.input_types) {
    if (rules !== undefined) found[name] = rules
    for (const field of fields) if (field.rules !== undefined) found[`${name}.${field.name}`] = field.rules
  }
  for (const { name, rules, arguments: args } of [...compiled.mutations, ...compiled.queries]) {
    if (rules !== undefined) found[name] = rules
    for (const argument of args) if (argument.rules !== undefined) found[`${name}.${argument.name}`] = argument.rules
  }
  return found
}

t.test('every spelling of a rule is one form', async (t) => {
  const length: Rule = { type: 'length', value: { min: 3, max: 9 } }
  const cases: readonly (readonly [validate: unknown, rules: readonly Rule[]])[] = [
    ['required', [{ type: 'required' }]],
    [{ required: true }, [{ type: 'required' }]],
    [{ required: false, length: { min: 3, max: 9 } }, [length]],
    [{ type: 'required' }, [{ type: 'required' }]],
    [{ type: 'required', value: true, message: 'm' }, [{ type: 'required', message: 'm' }]],
    [{ min_length: 3, max_length: 9 }, [length]],
    [{ type: 'length', value: { min: 3, max: 9 } }, [length]],
    [
      [{ type: 'length', value: { min: 3, max: 9 } }, 'required'],
      [length, { type: 'required' }],
    ],
    [{ pattern: 'a', message: 'm' }, [{ type: 'pattern', value: 'a', message: 'm' }]],
    [{ pattern: { pattern: 'a', message: 'own' }, message: 'm' }, [{ type: 'pattern', value: 'a', message: 'own' }]],
    [{ type: 'pattern', value: { pattern: 'a' } }, [{ type: 'pattern', value: 'a' }]],
    [{ enum: ['a', 'b'] }, [{ type: 'enum', value: ['a', 'b'] }]],
    [{ enum: { values: ['a'] } }, [{ type: 'enum', value: ['a'] }]],
    [{ checksum: { algorithm: 'luhn' } }, [{ type: 'checksum', value: 'luhn' }]],
    [{ custom: 'isFree' }, [{ type: 'custom', value: 'isFree' }]],
    [
      { cross_field: { field: 'postalCode', operator: 'eq' } },
      [{ type: 'cross_field', value: { field: { written: 'postalCode', wire: 'postalCode' }, operator: 'eq' } }],
    ],
    [{ all: ['required', { min_length: 3, max_length: 9 }] }, [{ type: 'all', value: [{ type: 'required' }, length] }]],
    [
      { type: 'any', value: { rules: [{ pattern: 'a', min_length: 3, max_length: 9 }, 'required'] } },
      [
        {
          type: 'any',
          value: [{ type: 'all', value: [{ type: 'pattern', value: 'a' }, length] }, { type: 'required' }],
        },
      ],
    ],
    [
      { conditional: { condition: 'age > 3 and value != null', then_rules: 'required' } },
      [{ type: 'conditional', value: { condition: 'age > 3 and value != null', then_rules: [{ type: 'required' }] } }],
    ],
  ]
  for (const [validate, rules] of cases) {
    const label = JSON.stringify(validate)
    t.strictSame(rulesIn(onEmail(validate)), { 'CreateUser.email': rules }, label)
    t.strictSame(
      rulesIn(schema(), { 'CreateUser.email': validate }),
      { 'CreateUser.email': rules },
      `${label} in svc.toml`,
    )
  }
})

// proves: compile.rule-keys
t.test('keys of svc.toml for validation', async (t) => {
  const required: readonly Rule[] = [{ type: 'required' }]
  const anyOf = (...fields: string[]): readonly Rule[] => [
    { type: 'any_of', value: { fields: fields.map((name) => ({ written: name, wire: name })) } },
  ]
  const cases: readonly (readonly [entries: Record<string, unknown>, found: object])[] = [
    [{ create_user: { any_of: ['email', 'phone'] } }, { CreateUser: anyOf('email', 'phone') }],
    [{ CreateUser: { any_of: ['email'] } }, { CreateUser: anyOf('email') }],
    [{ rename_user: { any_of: ['nick', 'age'] } }, { rename_user: anyOf('nick', 'age') }],
    [{ 'CreateUser.postal_code': 'required' }, { 'CreateUser.postal_code': required }],
    [{ 'CreateUser.postalCode': 'required' }, { 'CreateUser.postal_code': required }],
    // Not quoted, the dot makes a table.
    [
      { CreateUser: { email: 'required', age: { minimum: 1 } } },
      { 'CreateUser.email': required, 'CreateUser.age': [{ type: 'range', value: { min: 1 } }] },
    ],
    [
      { create_user: { email: 'required', age: { minimum: 1 } }, rename_user: { nick: 'required' } },
      {
        'CreateUser.email': required,
        'CreateUser.age': [{ type: 'range', value: { min: 1 } }],
        'rename_user.nick': required,
      },
    ],
    // The longest type: not `user_email` of Create.
    [{ create_user_email: 'required' }, { 'CreateUser.email': required }],
    [{ create_user_user_email: 'required' }, null as never],
    [{ rename_user_nick: 'required' }, { 'rename_user.nick': required }],
    [{ 'rename_user.nick': 'required' }, { 'rename_user.nick': required }],
    // A field's name: everywhere, but what queries ask with.
    [{ email: 'required' }, { 'CreateUser.email': required, 'Create.email': required }],
    [
      { age: { minimum: 1 } },
      {
        'CreateUser.age': [{ type: 'range', value: { min: 1 } }],
        'rename_user.age': [{ type: 'range', value: { min: 1 } }],
      },
    ],
  ]
  for (const [entries, found] of cases) {
    if (found === null) t.throws(() => rulesIn(schema(), entries))
    else t.strictSame(rulesIn(schema(), entries), found, JSON.stringify(entries))
  }
  const both = rulesIn(onEmail({ pattern: '@' }), { 'CreateUser.email': 'required' })
  t.strictSame(both['CreateUser.email'], [{ type: 'pattern', value: '@' }, { type: 'required' }], 'both hold')
})

const FAULTS: readonly (readonly [authored: AuthoredSchema, message: RegExp])[] = [
  [onEmail({ patern: 'x' }), /unknown key "patern".* Did you mean "pattern"\?/],
  [onEmail('requird'), /^CreateUser\.email: validate: there is no rule "requird"\. Did you mean "required"\?/],
  [onEmail({ type: 'lenght', value: {} }), /there is no rule "lenght"\. Did you mean "length"\?/],
  [onEmail({ type: 'length', value: { minimum: 1 } }), /length: has no "minimum"\. It has: min, max\./],
  [onEmail({ length: {} }), /length: wants min, max or both\./],
  [onEmail({ enum: 'a' }), /"enum" is "a", which is no array or object\./],
  [
    on('age', { range: { max: new ExactNumber('9223372036854775806') } }),
    /range: max is 9223372036854775806: a number here has 15 digits at most\. Use custom\./,
  ],
  [
    on('price', { minimum: new ExactNumber('0.12345678901234567891') }),
    /"minimum" is 0\.12345678901234567891: a number here/,
  ],
  [onEmail({ cross_field: { field: 'phone' } }), /cross_field: wants an operator\. There is: lt, /],
  [onEmail({ length: { min: 1.5 } }), /length: min wants a whole number from 0\./],
  [onEmail({ length: { min: 1 }, min_length: 2 }), /has "length" twice, as "min_length" too\. Keep one\./],
  [onEmail({ message: 'm' }), /says no rule\. Rules: required, pattern/],
  [onEmail({ pattern: '(' }), /pattern: the regular expression "\(" cannot be used/],
  [onEmail({ pattern: '(a)\\1' }), /cannot be matched in linear time/],
  [onEmail({ range: { min: 1 } }), /range: it is for numbers, and String is none\. Use length\./],
  [onEmail({ checksum: 'crc' }), /there is no algorithm "crc"\. There is: luhn, mod97\./],
  [onEmail({ custom: 'isFre' }), /there is no validator "isFre"\. Did you mean "isFree"\?.*authorFunction/],
  [
    onEmail({ cross_field: { field: 'fone', operator: 'eq' } }),
    /cross_field: CreateUser has no field "fone"\. Did you mean "phone"\?/,
  ],
  [
    onEmail({ cross_field: { field: 'phone', operator: '==' } }),
    /there is no operator "=="\. There is: lt, lte, eq, gte, gt\./,
  ],
  [onEmail({ cross_field: { field: 'email', operator: 'eq' } }), /compared with itself/],
  [onEmail({ cross_field: { field: 'age', operator: 'eq' } }), /cannot be compared: email is String, and age is Int/],
  [on('on', { cross_field: { field: 'on', operator: 'lt' } }), /compared with itself/],
  [
    onEmail({ one_of: ['email', 'phone'] }),
    /one_of: it is about the fields of an input together.*Put it on CreateUser\./,
  ],
  [
    schema({ validate: { pattern: 'x' } }),
    /^CreateUser: validate: pattern: it is about one field.*"CreateUser\.email"/,
  ],
  [
    schema({ validate: { one_of: ['email', 'fone'] } }),
    /one_of: CreateUser has no field "fone"\. Did you mean "phone"\?/,
  ],
  [
    schema({ validate: { conditional: { condition: 'aeg > 1', then_rules: { any_of: ['email'] } } } }),
    /the condition "aeg > 1": column 1: there is no "aeg" here\. Did you mean "age"\?/,
  ],
  [
    schema({ validate: { conditional: { condition: 'value > 1', then_rules: { any_of: ['email'] } } } }),
    /there is no "value" here/,
  ],
  [
    onCreate("user.emial == 'x'"),
    /the condition "user\.emial == 'x'": column 1: "user" has no field "emial"\. Did you mean "email"\?/,
  ],
  [onCreate("users.email == 'x'"), /"users" is a list, which has no "email"\./],
  [onCreate("email.host == 'x'"), /"email" has no fields, and so no "host"\./],
  [
    onEmail({ conditional: { condition: 'age >', then_rules: ['required'] } }),
    /column 6: expected a value, got the end/,
  ],
  [onEmail({ conditional: { condition: 'age > 1' } }), /conditional: wants \{ condition/],
  [onEmail({ conditional: { condition: 'age > 1', then_rules: ['requird'] } }), /there is no rule "requird"/],
  [onEmail({ all: [] }), /holds no rule/],
  [onEmail({ any: [{ range: { min: 1 } }] }), /range: it is for numbers/],
  [on('age', { pattern: 'x' }), /pattern: it is for texts, and Int is none\. Use range/],
  [on('price', { length: { min: 1 } }), /length: it is for texts, and Decimal is none\. Use range/],
  [on('starts', { range: { min: 1 } }), /range: it is for numbers, and Date is none\. Use cross_field or custom\./],
  [on('extra', { enum: ['a'] }), /enum: it is for texts, and JSON is none\. Use custom/],
  [on('color', { enum: ['REED'] }), /Color has no value "REED"\. Did you mean "RED"\?/],
  [on('tags', { cross_field: { field: 'email', operator: 'eq' } }), /a list has no order/],
  [
    on('opens', { cross_field: { field: 'ends', operator: 'lt' } }),
    /a time of day cannot be compared with a day: opens/,
  ],
  [on('span', { cross_field: { field: 'least_span', operator: 'gt' } }), /Duration has no order, only eq\. Use custom/],
  ...(
    [
      [{ validation_rules: 'required' }, /Scalar "Own": validation_rules: required is no rule about a value by itself/],
      [{ validation_rules: { all: [{ custom: 'isFree' }] } }, /Scalar "Own": validation_rules: .*custom/],
      [{ validation_rules: { range: { min: 1 } } }, /validation_rules: range: it is for numbers, and Own is none/],
      [{ validation_rules: { pattern: '(' } }, /validation_rules: pattern: the regular expression "\(" cannot be used/],
      [
        { elo_expression: 'valeu > 1' },
        /elo_expression "valeu > 1": column 1: there is no "valeu" here\. Did you mean/,
      ],
      [{ elo_expression: '_user_id == value' }, /there is no "_user_id" here/],
      [{ elo_expression: 'value > ' }, /column 9: expected a value, got the end/],
    ] as const
  ).map(
    ([scalar, message]) =>
      [{ ...schema(), custom_scalars: [{ name: 'Own', ...scalar }] } as AuthoredSchema, message] as const,
  ),
  [
    {
      ...schema(),
      custom_scalars: [{ name: 'Even', base_type: 'Int', elo_expression: 'value % 2 == 0' }],
      input_types: [{ name: 'With', fields: [{ name: 'even', type: 'Even!', default: 3 }] }],
    } as AuthoredSchema,
    /With\.even: default 3 is no Even: Must fulfil value % 2 == 0/,
  ],
  [
    schema({}, { validate: { any_of: ['nik'] } }),
    /^rename_user: validate: any_of: rename_user has no argument "nik"\. Did you mean "nick"\?/,
  ],
]

// proves: error.validation
t.test('an invalid rule does not compile, and the fault names its location and remedy', async (t) => {
  for (const [authored, message] of FAULTS) {
    const { compiled, faults } = compile(authored)
    t.equal(compiled, null)
    t.match(faults.map((fault) => fault.message).join('\n'), message)
  }
})

t.test('faults in svc.toml have its line', async (t) => {
  const cases: readonly (readonly [entries: Record<string, unknown>, message: RegExp])[] = [
    [{ emial: 'required' }, /^\[svc\.validation\] "emial" is no input, and no field of one\. Did you mean "email"\?/],
    [{ 'User.nick_name': 'required' }, /User is a type, and rules hold for what clients send/],
    [{ xyzzyxyzzyxyzzy: 'required' }, /There is: create_user, create, create_user, rename_user\./],
    [{ age: { pattern: 'x' } }, /^\[svc\.validation\] age \(CreateUser\.age\): pattern: it is for texts/],
    [
      { 'CreateUser.email': { patern: 'x' } },
      /^\[svc\.validation\] CreateUser\.email: there is no rule "patern"\. Did you mean "pattern"\?/,
    ],
    [{ email: 7 }, /a rule is a word, a table or a list/],
  ]
  for (const [entries, message] of cases) {
    const { compiled, faults } = compile(schema(), entries)
    t.equal(compiled, null)
    t.match(faults[0], { id: 'validation', message, place: PLACE }, JSON.stringify(entries))
  }
})
