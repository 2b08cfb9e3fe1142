/** Checked by tsc, never run: what must compile, and what must not. */
import * as a from 'svc/authoring'
import {
  Boolean,
  Date,
  DateTime,
  Email,
  enum_,
  field,
  ID,
  Int,
  input,
  interface_,
  list,
  mutation,
  nullable,
  query,
  ref,
  String,
  scalar,
  type,
  union,
  validate,
} from 'svc/authoring'

// The sample of the architecture.
@type({ relay: true })
export class User {
  @field(ID) id!: string
  @field(String, { description: 'Shown in public' }) name!: string
  @field(Email, { requiresScope: 'read:email' }) email!: string
  @field(() => list(Post)) posts!: Post[]
}

@type
export class Post {
  @field(ID) id!: string
  @field(User) accessor author!: User
  @field(nullable(DateTime)) get day(): string | null {
    return null
  }
}

@input
export class CreateUser {
  @field(String, { validate: { minLength: 1, pattern: /^\w+$/ } }) name!: string
  @validate('required', { checksum: 'luhn', custom: (value: string) => value !== 'x' }) @field(String) card!: string
  // @ts-expect-error there is no such checksum
  @field(String, { validate: { checksum: 'crc' } }) crc!: string
  // @ts-expect-error an operator of SQL
  @field(String, { validate: [{ crossField: { field: 'card', operator: '>' } }] }) other!: string
}

export class Api {
  @query(() => list(User), { sqlSource: 'v_user', cacheTtl: 60 }) users!: unknown
  @query(() => nullable(User), { sqlSource: 'v_user', args: { id: ID } }) user!: unknown
  @mutation(() => User, { sqlSource: 'fn_create_user', operation: 'CREATE', args: { input: CreateUser } })
  createUser!: unknown
}

// The same without decorators; types that point at each other need no annotation.
export const Author = type('Author', { relay: true, fields: { id: ID, books: list(ref('Book')) } })
export const Book = type('Book', { fields: { id: ID, author: field(Author, { description: 'Who wrote it' }) } })
export const Status = enum_('Status', { DRAFT: 'draft', DONE: { value: 'done', deprecated: 'Use DRAFT' } })
export const Found = union('Found', [Author, Book, User], { sqlSource: 'v_found' })
export const Named = interface_('Named', { fields: { name: String } })
export const NewBook = input('NewBook', { fields: { title: String, tags: field(list(String), { default: [] }) } })
export const Money = scalar('Money', { baseType: a.Decimal, parse: (value) => value })
export const draft: 'draft' = Status.values.DRAFT
export const nameType: typeof String = Named.fields.name
query('books', list(Book), {
  autoParams: { totalCount: true, orderBy: false },
  args: { status: Status, size: { type: Int, default: 3 }, all: nullable(Boolean), since: Date },
  inject: { owner_id: 'jwt:sub' },
})
mutation('createBook', Book, { operation: 'CREATE', args: { input: NewBook } })

// Options: names, values, and where they belong.
// @ts-expect-error no such option
type({ relais: true })
// @ts-expect-error names in snake_case belong in schema.json
type({ sql_source: 'v_user' })
// @ts-expect-error not a boolean
type({ relay: 'yes' })
// @ts-expect-error not a dataplane
type({ dataplane: 'rest' })
// @ts-expect-error no fields
type('NoFields', { relay: true })
// @ts-expect-error an enum is no interface
type({ implements: [Status] })
// @ts-expect-error no such option
field(String, { requireScope: 'x' })
// @ts-expect-error relations have two ends
field(String, { relation: { from: 'fk_user' } })
// @ts-expect-error not a way to deny
field(String, { onDeny: 'hide' })
// @ts-expect-error not an option of a query
query(User, { operation: 'CREATE' })
// @ts-expect-error seconds
query(User, { cacheTtl: '60' })
// @ts-expect-error not a switch
query(User, { autoParams: { filter: true } })
// @ts-expect-error claims come from the token
query(User, { inject: { owner_id: 'sub' } })
// @ts-expect-error not an option of a mutation
mutation(User, { cacheTtl: 60 })
// @ts-expect-error not an operation
mutation(User, { operation: 'UPSERT' })
// @ts-expect-error an argument has a type
mutation(User, { args: { input: { default: 1 } } })
// @ts-expect-error a name, then a type
query('users', { sqlSource: 'v_user' })
// @ts-expect-error not what SQL holds
enum_('Wrong', { A: 1 })
// @ts-expect-error a list has no scalar base
scalar('Wrong', { baseType: list(String) })
// @ts-expect-error members are object types
union('Wrong', [Status])
// @ts-expect-error members are needed
union({ sqlSource: 'v_found' })

// Types: the globals of the same names are none.
// @ts-expect-error the global String
field(globalThis.String)
// @ts-expect-error the global Number
field(Number)
// @ts-expect-error the global Boolean
field(globalThis.Boolean)
// @ts-expect-error the global Date
field(globalThis.Date)
// @ts-expect-error the global JSON
field(JSON)
// @ts-expect-error a name is not a type: ref('User')
field('User')
// @ts-expect-error a list is list(User)
field([User])

// Decorators: where they stand.
// @ts-expect-error @field is for members
@field(ID)
export class Wrong {
  // @ts-expect-error @type is for classes
  @type() inner!: string
  // @ts-expect-error @field is for fields
  @field(ID) method(): void {}
}

// A property says what its scalar says; behind a function or a class nobody asks.
export class Held {
  @field(ID) id!: string
  @field(Int) accessor size = 1
  @field(nullable(String)) note?: string | null
  @field(list(Int)) sizes!: number[]
  @field(nullable(list(String))) tags!: string[] | null
  @field(DateTime) made!: string
  @field(() => list(Post)) posts!: Post[]
  @field(Status) status!: 'DRAFT' | 'DONE'
  // @ts-expect-error an ID is a string
  @field(ID) wrongId!: number
  // @ts-expect-error an Int is a number
  @field(Int) wrongSize!: string
  // @ts-expect-error a list of numbers
  @field(list(Int)) wrongSizes!: string[]
  // @ts-expect-error null is missing
  @field(String) wrongNote!: string | null
}

a.middleware((request, next) => {
  request.context.tenant = request.auth?.claims.tenant
  // @ts-expect-error who asks is not for middleware to say
  request.auth = null
  return next(request)
})
// @ts-expect-error nothing is answered
a.middleware(() => undefined)
a.beforeMutation('createUser', async (args: { readonly name: string }, { query, auth }) => {
  await query('SELECT $1', [args.name, auth?.subject ?? null])
})
a.afterMutation('createUser', (entity, { isDryRun }) => void [entity.id, isDryRun])
// @ts-expect-error a hook belongs to a mutation
a.beforeMutation(() => {})
a.error('OutOfStock', { fields: { message: String } })
// @ts-expect-error an error has no source
a.error('Gone', { sqlSource: 'v_gone', fields: { message: String } })
