def average_rating(ratings):
    """Return the mean rating, or 0.0 when nobody has rated yet."""
    return sum(ratings) / len(ratings)


def stars(ratings):
    """Show the rounded mean rating as five characters."""
    filled = round(average_rating(ratings))
    return "*" * filled + "." * (5 - filled)


def best_rated(products):
    """Return the product name with the highest mean rating, first by name."""
    return min(products, key=lambda name: (-average_rating(products[name]), name))
