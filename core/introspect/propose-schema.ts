import type { DatabaseModel } from '../contract/database-model.ts'
import { AUTHORED_VERSION } from '../schema/authored-version.ts'
import { layOut } from './layout.ts'
import type { Proposal, ProposeOptions, ReportEntry } from './proposal.ts'
import { proposeMutations } from './propose-mutations.ts'
import { proposeQueries } from './propose-queries.ts'
import { proposeType } from './propose-type.ts'

/**
 * Proposes a schema for a database: a type with its queries for each table and view, relations for foreign keys in both directions, enums.
 * The result depends on the model and the options alone, and compiles against the same database.
 */
export function proposeSchema(model: DatabaseModel, options: ProposeOptions = {}): Proposal {
  const report: ReportEntry[] = [...model.skipped]
  const layout = layOut(model, options, report)
  const types = layout.subjects.map((subject) => proposeType(subject))
  const queries = proposeQueries(layout)
  const mutations = proposeMutations(layout, model.functions, options)
  const enums = layout.enums.toSchema()
  return {
    schema: {
      version: AUTHORED_VERSION,
      types,
      ...(enums.length === 0 ? {} : { enums }),
      queries,
      mutations,
    },
    report,
  }
}
