import type { Circumstances } from './results.ts'

/** Adds the load of the machine, for figures that another load changes. */
export function renderLoaded(
  table: string,
  run: Circumstances & { readonly rounds: number; readonly load: number },
): string {
  return `${table}\n\nMedians of ${run.rounds}, with ${run.load.toFixed(1)} processes on the processors before.\n${when(run)}`
}

/** Date, commit, Node and machine of a run, in small print. */
export function when({ finished, versions, machine, commit, dirty }: Circumstances): string {
  const at = commit === null ? '' : `, commit ${commit}${dirty ? ' with changes' : ''}`
  const node = `Node ${[versions.profiled ?? versions.node, versions.newestNode].filter((v) => v !== undefined).join(' and ')}`
  return `<sub>${finished.slice(0, 10)}${at}; ${node}; ${machine.cpus} cores (${machine.model}), ${machine.memoryGiB} GiB.</sub>`
}
