import t from 'tap'
import {
  apiKeyRequired,
  authenticated,
  collectSchema,
  field,
  ID,
  input,
  mutation,
  query,
  requiresScope,
  role,
  String,
  type,
} from '../../../core/authoring/index.ts'
import { withFreshRegistry } from '../../../core/authoring/registry.ts'
import type { AuthoredSchema } from '../../../core/schema/authored.ts'

const collect = async (declare: () => void): Promise<AuthoredSchema | string> =>
  withFreshRegistry(async () => {
    declare()
    try {
      return collectSchema()
    } catch (error) {
      return (error as Error).message
    }
  })

t.test('decorators say what options say', async (t) => {
  const schema = await collect(() => {
    @type
    class Person {
      @field(ID) id!: string
      @requiresScope('read:email', 'read:all') @field(String) email!: string
      @field(String) @role('hr', 'boss') salary!: string
    }
    class Api {
      @authenticated @requiresScope('read:people') @role('clerk') @query(() => Person) people!: unknown
      @query(() => Person, { requiresScope: 'x' }) @apiKeyRequired exported!: unknown
      @mutation(() => Person) @role('admin') save!: unknown
      @query(() => Person) free!: unknown
    }
    return Api
  })
  t.match(schema, {
    types: [
      {
        fields: [
          { name: /^id$/ },
          { name: 'email', requires_scope: 'read:email read:all' },
          { name: 'salary', requires_role: [/^hr$/, 'boss'] },
        ],
      },
    ],
    queries: [
      { name: 'people', authenticated: true, requires_scope: 'read:people', requires_role: 'clerk' },
      { name: 'exported', api_key_required: true, requires_scope: /^x$/ },
      { name: 'free', authenticated: undefined, requires_scope: undefined },
    ],
    mutations: [{ name: 'save', requires_role: 'admin' }],
  })
})

t.test('one that guards nothing is a fault, and so is one that is said twice', async (t) => {
  const faults = await collect(() => {
    @type
    class Person {
      @authenticated @field(ID) id!: string
      @role('x') name!: string
      @requiresScope('a') @field(String, { requiresScope: 'b' }) email!: string
    }
    @input
    class NewPerson {
      @role('x') @field(ID) id!: string
    }
    class Api {
      @requiresScope('a') people!: unknown
      @role('a') @role('b') @query(() => Person) twice!: unknown
      @role() @query(() => Person) nobody!: unknown
    }
    return [Api, NewPerson]
  })
  for (const fault of [
    /field "Person.id" takes no authenticated: it belongs on a query or mutation/,
    /an access decorator stands on "name", which has no @query, @mutation or @field/,
    /"email" has requires_scope as decorator and as option. Drop one/,
    /input field "NewPerson.id" takes no requires_role/,
    /an access decorator stands on "people"/,
    /@role stands on "twice" twice/,
    /@role wants one or more texts/,
  ]) {
    t.match(faults, fault)
  }
})
