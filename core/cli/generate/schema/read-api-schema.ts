import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  buildClientSchema,
  buildSchema,
  type GraphQLNamedType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql'
import { SvcError } from '../../../base/errors/svc-error.ts'
import { findScalar } from '../../../schema/scalars.ts'
import type { CommandArgs, CommandIo } from '../../command/command.ts'
import { printSdl } from '../../compile/print-sdl.ts'
import { openSide } from '../../diff/open-side.ts'

/** JSON type of a scalar's values in requests and responses; `json`: any JSON value. */
export type WireForm = 'string' | 'number' | 'boolean' | 'json'

/** The GraphQL schema that `svc generate` writes a client for, with the JSON form of its scalars. */
export interface ApiSchema {
  readonly schema: GraphQLSchema
  readonly sdl: string | null
  wireOf(scalar: string): WireForm
}

/**
 * Reads the GraphQL schema for `svc generate` from an introspection result (`--introspection`), from SDL
 * (`--schema-sdl`), or from a compiled schema or project.
 * @throws SvcError SVC_SCHEMA_NOT_FOUND: there is no such file; SVC_SCHEMA_INVALID: it is no valid GraphQL schema; the
 * errors of {@link openSide}
 */
export async function readApiSchema({ positionals: [input], flags }: CommandArgs, io: CommandIo): Promise<ApiSchema> {
  if (typeof flags.introspection === 'string') {
    const file = flags.introspection
    const schema = await read(file, io, (text) => {
      const document = JSON.parse(text) as { readonly data?: IntrospectionQuery } & IntrospectionQuery
      return buildClientSchema(document.data ?? document)
    })
    return { schema, sdl: null, wireOf: wireByName }
  }
  if (typeof flags['schema-sdl'] === 'string') {
    let sdl = ''
    const schema = await read(flags['schema-sdl'], io, (text) => {
      sdl = text
      return buildSchema(text, { assumeValidSDL: true })
    })
    return { schema, sdl, wireOf: wireByName }
  }
  const { project, compiled } = await openSide(input ?? '.', { positionals: [], flags: { ...flags } }, io)
  const sdl = await printSdl(project, compiled, io, 'plain')
  const bases = new Map(compiled.custom_scalars.map((scalar) => [scalar.name, scalar.base_type ?? 'String']))
  const wireOf = (scalar: string): WireForm => wireByName(bases.get(scalar) ?? scalar)
  return { schema: buildSchema(sdl, { assumeValidSDL: true }), sdl, wireOf }
}

/** Returns the form of a scalar of svc. Another one can have any form. */
export function wireByName(scalar: string): WireForm {
  return findScalar(scalar)?.wire ?? 'json'
}

async function read<T>(file: string, io: CommandIo, parse: (text: string) => T): Promise<T> {
  const path = resolve(io.cwd, file)
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new SvcError('SVC_SCHEMA_NOT_FOUND', `The schema at ${path} cannot be read: ${cause.message}`, { cause })
  })
  try {
    return parse(text)
  } catch (cause) {
    throw new SvcError('SVC_SCHEMA_INVALID', `${path} is no schema: ${(cause as Error).message}`, { cause })
  }
}

/** Returns the named types of the schema, sorted by name. Introspection types (`__Type` and others) are left out. */
export function typesOf({ schema }: ApiSchema): readonly GraphQLNamedType[] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
