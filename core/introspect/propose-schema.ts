import type { DatabaseModel } from '../contract/database-model.ts'
import type { AuthoredInput, AuthoredMutation } from '../schema/authored.ts'
import { AUTHORED_VERSION } from '../schema/authored-version.ts'
import { layOut } from './layout.ts'
import type { Proposal, ProposeOptions } from './proposal.ts'
import { proposeMutations } from './propose-mutations.ts'
import { proposeQueries } from './propose-queries.ts'
import { proposeType } from './propose-type.ts'
import type { Layout } from './subject.ts'

/**
 * Proposes a schema for a database: a type with queries for each table and view, relations for foreign keys in both
 * directions, enums. Equal models and options give equal results. The schema compiles against the same database.
 */
export function proposeSchema(model: DatabaseModel, options: ProposeOptions = {}): Proposal {
  const layout = layOut(model, options, [...model.skipped])
  return schemaOf(layout, () => ({ inputs: [], mutations: proposeMutations(layout, model.functions, options) }))
}

/** Mutations that svc proposes, and the input types of their arguments. */
export interface ProposedWrites {
  readonly inputs: readonly AuthoredInput[]
  readonly mutations: readonly AuthoredMutation[]
}

/**
 * Creates the proposed schema: types and queries from the layout, mutations from `propose`.
 * @param propose proposes the mutations. It may add enums to the layout, for arguments whose enums no type uses
 */
export function schemaOf(layout: Layout, propose: () => ProposedWrites): Proposal {
  const types = layout.subjects.map((subject) => proposeType(subject))
  const queries = proposeQueries(layout)
  const { inputs, mutations } = propose()
  const enums = layout.enums.toSchema()
  return {
    schema: {
      version: AUTHORED_VERSION,
      types,
      ...(enums.length === 0 ? {} : { enums }),
      ...(inputs.length === 0 ? {} : { input_types: inputs }),
      queries,
      mutations,
    },
    report: layout.report,
  }
}
