-- :playlist_id integer
-- :track_id integer

SELECT svc_raise('NOT_FOUND', 'There is no playlist ' || :playlist_id) WHERE NOT EXISTS (SELECT 1 FROM playlist WHERE playlist_id = :playlist_id);

DELETE FROM playlist_track WHERE playlist_id = :playlist_id AND track_id = :track_id;

SELECT 'updated' AS status, 'Track removed' AS message, :playlist_id AS entity_id, 'Playlist' AS entity_type,
  '["tracks", "track_count"]' AS updated_fields;
