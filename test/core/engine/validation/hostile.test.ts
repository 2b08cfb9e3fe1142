import fc from 'fast-check'
import t from 'tap'
import { InputErrors } from '../../../../core/base/errors/input-errors.ts'
import { SvcError } from '../../../../core/base/errors/svc-error.ts'
import { hasRules, validateOperation } from '../../../../core/engine/validation/validate-operation.ts'
import { coerceInput } from '../../../../core/schema/coerce.ts'
import { linkSchema } from '../../../../core/schema/link/link.ts'
import type { MutationModel } from '../../../../core/schema/model.ts'
import { PlainExchange } from '../../../../core/service/lifecycle/plain-exchange.ts'
import { createOperationRunner } from '../../../../core/service/lifecycle/run-operation.ts'
import { testOperation } from '../../../../core/testing/testing.ts'
import { compileArtifact } from '../../../helpers/compile-fixture.ts'
import { tableSchema } from '../../../schemas/table-schema.ts'

/** Rules against values that mean harm, and validators that do not keep their word. */
const validator = (name: string) => ({ kind: 'validator', name, module: './s.ts', export: name })
/** As many states as characters, from every character on. */
const SLOW = '[a-z]{1,200}[0-9]{1,200}x'
const SCHEMA = tableSchema(
  { name: 'User', sql_source: 'v_user', fields: { id: 'ID!' } },
  {
    custom_scalars: [{ name: 'Word', base_type: 'String', elo_expression: `not matches(value, /${SLOW}/)` }],
    input_types: [
      {
        name: 'Line',
        fields: [
          {
            name: 'word',
            type: 'String',
            validate: { conditional: { condition: `matches(value, /${SLOW}/)`, then_rules: 'required' } },
          },
        ],
      },
      {
        name: 'Pair',
        fields: [
          { name: 'a', type: 'Int' },
          { name: 'b', type: 'Int' },
        ],
        validate: { one_of: ['a', 'b'] },
      },
      {
        name: 'Node',
        fields: [
          { name: 'name', type: 'String', validate: { pattern: '^(a+)+$', length: { max: 10_000 } } },
          {
            name: 'extra',
            type: 'JSON',
            validate: { conditional: { condition: "extra.a.b == 'x'", then_rules: ['required'] } },
          },
          {
            name: 'price',
            type: 'Decimal',
            validate: { minimum: 0, conditional: { condition: 'price * price > 10', then_rules: { maximum: 1e9 } } },
          },
          {
            name: 'owner',
            type: 'String',
            validate: {
              conditional: {
                condition: "value != _user_id and _user_role != 'admin' and _constructor == null",
                then_rules: { enum: ['nobody'] },
              },
            },
          },
          { name: 'child', type: 'Node' },
          { name: 'children', type: '[[Node!]]' },
        ],
      },
    ],
    queries: [
      {
        name: 'named',
        type: '[User!]!',
        sql_source: 'v_user',
        arguments: [{ name: 'name', type: 'String', validate: { pattern: '^a$' } }],
      },
    ],
    mutations: [
      { name: 'save', type: 'User', arguments: [{ name: 'node', type: 'Node' }] },
      {
        name: 'defaulted',
        type: 'User',
        arguments: [
          { name: 'level', type: 'Int', default: 1 },
          { name: 'name', type: 'String' },
        ],
        validate: { any_of: ['level', 'name'] },
      },
      {
        name: 'wordy',
        type: 'User',
        arguments: [{ name: 'words', type: '[String!]', validate: { pattern: SLOW } }],
      },
      { name: 'asked', type: 'User', arguments: [{ name: 'lines', type: '[Line!]' }] },
      { name: 'scaled', type: 'User', arguments: [{ name: 'words', type: '[Word!]' }] },
      { name: 'grouped', type: 'User', arguments: [{ name: 'pair', type: 'Pair' }] },
      ...Object.entries({
        of_required: 'required',
        of_pattern: { pattern: '^a$' },
        of_length: { length: { min: 2, max: 3 } },
        of_enum: { enum: ['a', 'b'] },
        of_checksum: { checksum: 'luhn' },
        of_custom: { custom: 'says_no' },
        of_text: { custom: 'says_why' },
        of_own_text: { custom: 'says_why', message: 'another' },
        of_cross_field: { cross_field: { field: 'other_one', operator: 'eq' } },
        of_any: { any: [{ pattern: '^a$' }, { enum: ['b'] }] },
      }).map(([name, validate]) => ({
        name,
        type: 'User',
        arguments: [
          { name: 'value', type: 'String', validate },
          { name: 'other_one', type: 'String' },
        ],
      })),
      ...Object.entries({
        of_range: { range: { min: 2, max: 3 } },
        of_conditional: { conditional: { condition: 'value / 0 > 1', then_rules: 'required' } },
      }).map(([name, validate]) => ({ name, type: 'User', arguments: [{ name: 'number', type: 'Int', validate }] })),
      ...Object.entries({
        of_one_of: { one_of: ['value', 'other_one'] },
        of_any_of: { any_of: ['value', 'other_one'] },
        of_conditional_required: { conditional_required: { if_field_present: 'number', then_required: ['other_one'] } },
        of_required_if_absent: { required_if_absent: { absent_field: 'number', then_required: ['other_one'] } },
      }).map(([name, validate]) => ({
        name,
        type: 'User',
        arguments: [
          { name: 'value', type: 'String' },
          { name: 'other_one', type: 'String' },
          { name: 'number', type: 'Int' },
        ],
        validate,
      })),
      ...['throws', 'gives_undefined', 'own_error', 'sees'].map((name) => ({
        name,
        type: 'User',
        arguments: [{ name: 'value', type: 'String', validate: { custom: name } }],
      })),
    ],
    author_functions: ['throws', 'gives_undefined', 'own_error', 'sees', 'says_no', 'says_why'].map(validator),
  },
)

const seen: unknown[] = []
const FUNCTIONS: Readonly<Record<string, (value: unknown, of: unknown) => unknown>> = {
  throws: () => {
    throw new Error('secret')
  },
  gives_undefined: () => undefined,
  own_error: () => {
    throw new SvcError('NAME_TAKEN', 'taken')
  },
  says_no: () => false,
  says_why: (value) => `not ${value}`,
  sees: (value, of) => {
    seen.push(value, of)
    return true
  },
}
const compiled = compileArtifact(SCHEMA, null)
const model = linkSchema(compiled, {
  authorFunctions: (compiled.author_functions ?? []).map((one) => ({ ...one, value: FUNCTIONS[one.name] })),
})
const exchange = (auth: object | null = null, schema = model) =>
  Object.assign(
    new PlainExchange(
      { id: 1, hash: '', schema, loadedAt: new Date(0), slots: [] },
      { id: 't', transport: 'internal', address: '' },
    ),
    { auth },
  )

function operation(name: string, args: Readonly<Record<string, unknown>>, schema = model) {
  const mutation = schema.mutations.get(name) as MutationModel
  const given = Object.entries(args).map(([key, value]) => {
    const argument = mutation.arguments.get(key)!
    return {
      name: key,
      value: { kind: 'constant', value: coerceInput(argument.type, argument.named, value, [key]) } as const,
    }
  })
  const root = {
    kind: 'operation',
    responseKey: name,
    operation: mutation,
    arguments: given,
    selection: null,
    location: null,
  } as const
  return testOperation({ kind: 'mutation', roots: [root] })
}

const problems = (
  name: string,
  args: Readonly<Record<string, unknown>>,
  auth: object | null = null,
): readonly string[] => {
  try {
    validateOperation(exchange(auth), operation(name, args))
    return []
  } catch (error) {
    if (!(error instanceof InputErrors)) throw error
    return error.errors.map(({ details, message }) => `${details?.path}: ${message}`)
  }
}

/** A scalar refuses its values before the rules are asked. */
function problemsOf(work: () => readonly string[]): readonly string[] {
  try {
    return work()
  } catch (error) {
    return [(error as Error).message]
  }
}

t.test('an error says which rule it is of and what that wants, and never the value', async (t) => {
  const contexts = (name: string, args: Readonly<Record<string, unknown>>) => {
    try {
      validateOperation(exchange(), operation(name, args))
      return []
    } catch (error) {
      if (!(error instanceof InputErrors)) throw error
      return error.errors.map(({ details }) => details?.context)
    }
  }
  const RULES: readonly (readonly [name: string, args: object, context: object])[] = [
    ['ofRequired', { value: null }, { rule: 'required' }],
    ['ofPattern', { value: 'x' }, { rule: 'pattern', pattern: '^a$' }],
    ['ofLength', { value: 'x' }, { rule: 'length', min: 2, max: 3 }],
    ['ofRange', { number: 9 }, { rule: 'range', min: 2, max: 3 }],
    ['ofEnum', { value: 'x' }, { rule: 'enum', values: ['a', 'b'] }],
    ['ofChecksum', { value: 'x' }, { rule: 'checksum', algorithm: 'luhn' }],
    ['ofCustom', { value: 'x' }, { rule: 'custom', validator: 'says_no' }],
    ['ofCrossField', { value: 'x', otherOne: 'y' }, { rule: 'cross_field', field: 'otherOne', operator: 'eq' }],
    ['ofConditional', { number: 1 }, { rule: 'conditional' }],
    ['ofAny', { value: 'x' }, { rule: 'any' }],
    ['ofOneOf', {}, { rule: 'one_of', fields: ['value', 'otherOne'] }],
    ['ofAnyOf', {}, { rule: 'any_of', fields: ['value', 'otherOne'] }],
    ['ofConditionalRequired', { number: 1 }, { rule: 'conditional_required', missing: ['otherOne'] }],
    ['ofRequiredIfAbsent', {}, { rule: 'required_if_absent', missing: ['otherOne'] }],
  ]
  for (const [name, args, context] of RULES) t.strictSame(contexts(name, { ...args }), [context], name)
})

t.test('a validator says no with its own text, with that of the rule, or with ours', async (t) => {
  t.strictSame(problems('ofCustom', { value: 'x' }), ['value: Invalid value'])
  t.strictSame(problems('ofText', { value: 'x' }), ['value: not x'])
  t.strictSame(problems('ofOwnText', { value: 'x' }), ['value: another'])
})

t.test('no more than a hundred errors, whichever root they are of', async (t) => {
  const words = (count: number) => Array.from({ length: count }, () => '!')
  const rootsOf = (...counts: readonly number[]) =>
    testOperation({
      kind: 'mutation',
      roots: counts.flatMap((count) => operation('wordy', { words: words(count) }).template.roots),
    })
  const found = (...counts: readonly number[]): number => {
    try {
      validateOperation(exchange(), rootsOf(...counts))
      return 0
    } catch (error) {
      return (error as InputErrors).errors.length
    }
  }
  t.equal(found(40, 59), 99)
  t.equal(found(40, 60), 100)
  t.equal(found(40, 61), 100)
  t.equal(found(100, 1), 100)
  t.equal(found(200, 200, 200), 100)
})

t.test('a claim that cannot be read is a fault of the server, and not of what the client sent', async (t) => {
  const claims = {
    get constructor(): never {
      throw new Error('secret')
    },
  }
  const auth = { subject: 'u1', claims, scopes: [], roles: [], method: 'jwt' }
  t.throws(() => problems('save', { node: { owner: 'u2' } }, auth), {
    code: 'INTERNAL_SERVER_ERROR',
    cause: { message: 'secret' },
  })
})

/** Processor time of this process, milliseconds: others may keep the machine busy. */
function processor(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

t.test('a pattern that would hang a backtracking engine is answered at once', async (t) => {
  const started = Date.now()
  t.strictSame(problems('save', { node: { name: `${'a'.repeat(9_999)}!` } }), ['node.name: Must match pattern'])
  t.strictSame(problems('save', { node: { name: 'a'.repeat(9_999) } }), [])
  t.ok(Date.now() - started < 5000)
})

t.test('a text that is too long to be looked at does not match', async (t) => {
  t.strictSame(problems('save', { node: { name: 'a'.repeat(2_000_000) } }), [
    'node.name: Too long to be held to its pattern',
    'node.name: Length at most 10000',
  ])
})

t.test('many texts together take no longer than one that is too long', async (t) => {
  const words = (count: number) => ({ words: Array.from({ length: count }, () => 'a'.repeat(200)) })
  t.strictSame(problems('wordy', words(50)).slice(0, 1), ['words[0]: Must match pattern'], 'each can be looked at')
  const started = processor()
  const told = new Set(
    problems('wordy', { words: [...words(20_000).words, 'ab1x'] }).map((one) => one.replace(/^.*: /, '')),
  )
  t.ok(processor() - started < 5000)
  t.strictSame([...told], ['Must match pattern'], 'the first hundred')
  await null
  t.strictSame(problems('wordy', { words: ['ab1x'] }), [], 'who comes next is not made to wait, or refused')
  for (const [name, value] of [
    ['asked', { lines: words(20_000).words.map((word) => ({ word })) }],
    ['scaled', words(20_000)],
  ] as const) {
    await null
    const before = processor()
    t.not(problemsOf(() => problems(name, value)).length, 0, name)
    t.ok(processor() - before < 5000, `${name} in ${processor() - before} ms`)
  }
})

t.test('inputs in each other, to any depth and in lists of lists', async (t) => {
  let deep: object = { name: 'b' }
  for (let level = 0; level < 60; level++) deep = { child: deep }
  t.strictSame(problems('save', { node: deep }), [`node.${'child.'.repeat(60)}name: Must match pattern`])
  t.strictSame(problems('save', { node: { children: [[{}, { name: 'b' }], null] } }), [
    'node.children[0][1].name: Must match pattern',
  ])
  t.strictSame(problems('save', { node: null }), [])
  t.strictSame(problems('save', {}), [])
})

t.test('a default counts as given, also where the front left it to the schema', async (t) => {
  t.strictSame(problems('defaulted', {}), [])
  t.strictSame(problems('defaulted', { level: null }), ['defaulted: At least one of [level, name] must be provided'])
})

t.test('an input that has rules about its fields together, and none on a field', async (t) => {
  t.equal(model.mutations.get('grouped')?.hasRules, true)
  t.strictSame(problems('grouped', { pair: {} }), ['pair: Exactly one of [a, b] must be provided, but 0 were provided'])
})

t.test('an aggregate takes the arguments of its query, and is held to their rules', async (t) => {
  const query = model.queries.get('named')!
  const aggregate = (name: string) => ({
    kind: 'aggregate' as const,
    responseKey: 'numbers',
    operation: query,
    arguments: [{ name: 'name', value: { kind: 'constant' as const, value: name } }],
    groupBy: null,
    fields: [],
    having: [],
    orderBy: [],
    location: null,
  })
  const ask = (name: string) => {
    const asked = testOperation({ roots: [aggregate(name)] })
    return hasRules(asked) && validateOperation(exchange(), asked)
  }
  t.throws(() => ask('b'), { message: 'Must match pattern' })
  t.doesNotThrow(() => ask('a'))
})

t.test('no prototype is reached, whatever the keys', async (t) => {
  for (const extra of [JSON.parse('{"__proto__":{"a":{"b":"x"}}}'), { constructor: 1 }, [], 'a', { a: [] }]) {
    t.strictSame(problems('save', { node: { extra } }), [])
  }
})

t.test('numbers of any size', async (t) => {
  t.strictSame(problems('save', { node: { price: '-0.0000000000000000000000001' } }), ['node.price: Value at least 0'])
  t.strictSame(problems('save', { node: { price: '1e999' } }), ['node.price: Value at most 1000000000'])
  t.strictSame(problems('save', { node: { price: '1e10' } }), ['node.price: Value at most 1000000000'])
  t.strictSame(problems('save', { node: { price: '0e0' } }), [])
})

t.test('conditions see the caller; an anonymous caller has no id', async (t) => {
  const auth = { subject: 'u1', claims: { sub: 'u1' }, scopes: [], roles: [], method: 'jwt' }
  t.strictSame(problems('save', { node: { owner: 'u1' } }, auth), [])
  t.strictSame(problems('save', { node: { owner: 'u2' } }, auth), ['node.owner: Must be one of: nobody'])
  t.strictSame(problems('save', { node: { owner: 'u2' } }, { ...auth, claims: { role: 'admin' } }), [])
  t.strictSame(problems('save', { node: { owner: 'u2' } }, { ...auth, roles: ['admin'] }), [])
  t.strictSame(problems('save', { node: { owner: 'u1' } }), ['node.owner: Must be one of: nobody'])
})

t.test('any input gives errors of rules or none', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.jsonValue(), (name, extra) => {
      for (const line of problems('save', { node: { name, extra } })) t.match(line, /^node\.name: (Must match|Length)/)
    }),
  )
})

t.test('a validator that does not keep its word lets nothing through', async (t) => {
  let ran = 0
  const run = createOperationRunner({
    defaultPolicy() {},
    authorize: null,
    resolve: null,
    innermost: () => {
      ran++
      return { data: '{}', errors: null }
    },
  })
  const failed = { code: 'INTERNAL_SERVER_ERROR', message: /^A rule for what clients send has failed/ }
  t.throws(() => run(exchange(), operation('throws', { value: 'x' })), { ...failed, cause: { message: 'secret' } })
  t.throws(() => run(exchange(), operation('givesUndefined', { value: 'x' })), {
    ...failed,
    cause: { message: /gave undefined/ },
  })
  t.throws(() => run(exchange(), operation('ownError', { value: 'x' })), { code: 'NAME_TAKEN', message: 'taken' })
  const unloaded = linkSchema(compiled)
  t.throws(() => run(exchange(null, unloaded), operation('sees', { value: 'x' }, unloaded)), failed)
  t.equal(ran, 0)
  await run(exchange(), operation('sees', { value: 'x' }))
  await run(exchange(), operation('sees', {}))
  t.strictSame(seen, ['x', { input: { value: 'x' } }], 'it is asked once, and not about what is not there')
  t.equal(ran, 2)
})

t.test('a caller without permission learns nothing of the rules', async (t) => {
  const run = createOperationRunner({
    defaultPolicy() {
      throw new SvcError('UNAUTHENTICATED', 'no')
    },
    authorize: null,
    resolve: null,
    innermost: () => ({ data: '{}', errors: null }),
  })
  t.throws(() => run(exchange(), operation('save', { node: { name: 'b' } })), { code: 'UNAUTHENTICATED' })
})

t.test('as one error it has all fields, for fronts that show one', async (t) => {
  try {
    validateOperation(exchange(), operation('save', { node: { name: 'b', price: '-1' } }))
    t.fail('it breaks two rules')
  } catch (error) {
    t.match(error, {
      code: 'VALIDATION_ERROR',
      status: 422,
      message: 'Must match pattern; Value at least 0',
      details: {
        fields: [
          { field: 'node.name', reason: 'Must match pattern' },
          { field: 'node.price', reason: 'Value at least 0' },
        ],
      },
    })
  }
})
