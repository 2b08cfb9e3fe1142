/** Names that printed TypeScript, or the code that a translator makes of decorators, uses itself. */
export const TAKEN_NAMES: ReadonlySet<string> = new Set([
  ...'Array Error Function Object Promise Reflect Symbol TypeError WeakMap WeakSet'.split(' '),
  ...'type field list nullable query mutation subscription observer enum_ union scalar input interface_ ref hierarchy'.split(
    ' ',
  ),
  'arrowQuery',
  'schemaKeys',
  ...'any bigint boolean never null number object string symbol undefined unknown void true false'.split(' '),
  ...'await break case catch class const continue debugger default delete do else enum export extends finally for'.split(
    ' ',
  ),
  ...'function if implements import in instanceof interface let new package private protected public return static'.split(
    ' ',
  ),
  ...'super switch this throw try typeof var while with yield arguments eval async'.split(' '),
])
