/** Parts of HTTP that routes need: content negotiation, entity tags, headers of errors, a router, files of a page. */

export { acceptable } from '../../service/http/acceptable.ts'
export { announceDeprecated } from '../../service/http/announce-deprecated.ts'
export { createEntityTagger, type EntityTagger, matchesTag } from '../../service/http/entity-tag.ts'
export { type PackageAssets, packageAssetReader } from '../../service/http/package-assets.ts'
export { errorHeaders } from '../../service/http/render-error.ts'
export { isHost } from '../../service/http/request-target.ts'
export { createRouter } from '../../service/http/router.ts'
