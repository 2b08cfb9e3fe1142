-- The answer describes the playlist as it was.
-- :id integer

SELECT svc_raise('NOT_FOUND', 'There is no playlist ' || :id) WHERE NOT EXISTS (SELECT 1 FROM playlist WHERE playlist_id = :id);

DELETE FROM playlist_track WHERE playlist_id = :id;

DELETE FROM playlist WHERE playlist_id = :id
RETURNING 'deleted' AS status, 'Playlist deleted' AS message, playlist_id AS entity_id, 'Playlist' AS entity_type,
  json_object('id', playlist_id, 'name', name, 'track_count', 0) AS entity;
